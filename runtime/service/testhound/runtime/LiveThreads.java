package testhound.runtime;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * The threads alive at one moment; finds those started since.
 *
 * <p>Threads that the JDK starts for itself on first use (cleaners, the common pool, carriers of
 * virtual threads) are no one's fault and not counted. Virtual threads are not seen: the JDK has
 * no list of them.
 */
final class LiveThreads {
    /** Threads of the JDK that are known by nothing but their name. */
    private static final Set<String> OF_THE_JDK = Set.of(
            "Reference Handler", "Finalizer", "Signal Dispatcher", "Notification Thread",
            "Attach Listener", "Service Thread", "Monitor Deflation Thread", "DestroyJavaVM");

    /** Daemons that the JDK starts in whatever thread group it is called from. */
    private static final Set<String> DAEMONS_OF_THE_JDK = Set.of(
            "CompletableFutureDelayScheduler", "process reaper", "Keep-Alive-Timer");

    private final Set<Thread> known;

    LiveThreads() {
        known = Collections.newSetFromMap(new IdentityHashMap<>());
        known.addAll(all());
    }

    int count() {
        return known.size();
    }

    /** Takes the threads alive now for known. */
    void accept() {
        known.addAll(all());
    }

    /** The threads alive now that were not then, without those of the JDK. */
    List<Thread> started() {
        List<Thread> started = new ArrayList<>();
        for (Thread thread : all()) {
            if (!known.contains(thread) && thread != Thread.currentThread()
                    && !isOfTheJdk(thread)) {
                started.add(thread);
            }
        }
        return started;
    }

    /** Waits until no started thread is left, but not longer than this; how many are left. */
    int await(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        List<Thread> left = started();
        while (!left.isEmpty() && end - System.nanoTime() > 0) {
            try {
                // In short turns: the first may wait for the second.
                left.get(0).join(Math.max(1, Math.min(10, (end - System.nanoTime()) / 1_000_000)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return left.size();
            }
            left = started();
        }
        return left.size();
    }

    /** Whether a thread of the JDK that runs finalizers or actions of cleaners is at work. */
    static boolean isCleaning() {
        for (Thread thread : all()) {
            boolean cleans = thread.getName().equals("Finalizer")
                    || thread.getClass().getName().endsWith(".InnocuousThread");
            if (cleans && isAtWork(thread.getState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAtWork(Thread.State state) {
        return state == Thread.State.RUNNABLE || state == Thread.State.BLOCKED;
    }

    /** Whether the common pool, whose threads are not counted, has something to do. */
    static boolean isCommonPoolBusy() {
        ForkJoinPool pool = ForkJoinPool.commonPool();
        return !pool.isQuiescent() || pool.hasQueuedSubmissions();
    }

    /**
     * Waits until the common pool has nothing to do, but not longer than this; whether it has
     * nothing to do.
     */
    static boolean awaitCommonPool(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (isCommonPoolBusy()) {
            if (end - System.nanoTime() <= 0) {
                return false;
            }
            try {
                // Not awaitQuiescence, which would run tasks on this thread.
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /** Interrupts the started threads and waits for them as {@link #await} does. */
    int interrupt(int millis) {
        for (Thread thread : started()) {
            try {
                thread.interrupt();
            } catch (Throwable fromCodeUnderTest) {
                // An overridden interrupt() that throws: this thread is then counted as left.
                continue;
            }
        }
        return await(millis);
    }

    private static List<Thread> all() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] found = new Thread[64];
        int count = root.enumerate(found, true);
        // A full array may mean that some had no room (documented for enumerate).
        while (count == found.length) {
            found = new Thread[2 * count];
            count = root.enumerate(found, true);
        }
        List<Thread> threads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            threads.add(found[i]);
        }
        return threads;
    }

    private static boolean isOfTheJdk(Thread thread) {
        Class<?> type = thread.getClass();
        if (type.getName().startsWith("jdk.internal.")) {
            return true;
        }
        if (type == ForkJoinWorkerThread.class
                || type.getName().startsWith("java.util.concurrent.ForkJoinWorkerThread$")) {
            return ((ForkJoinWorkerThread) thread).getPool() == ForkJoinPool.commonPool();
        }
        if (type.getName().equals("java.util.concurrent.DelayScheduler")) {
            // From JDK 25 on; a pool of the test's own has one too, and workers that tell.
            return true;
        }
        if (type != Thread.class) {
            return false;
        }
        ThreadGroup group = thread.getThreadGroup();
        boolean inRoot = group != null && group.getParent() == null;
        return inRoot && OF_THE_JDK.contains(thread.getName())
                || thread.isDaemon() && DAEMONS_OF_THE_JDK.contains(thread.getName());
    }
}
