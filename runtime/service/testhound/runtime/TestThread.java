package testhound.runtime;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * The thread that runs the tests of a run one after the other, as a build does: what one test leaves
 * in a thread local is there for the next. Once a test does not end in time, it runs no other.
 *
 * <p>It is no daemon, for threads started by a test inherit that.
 */
final class TestThread {
    private final BlockingQueue<FutureTask<Void>> tasks = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::work, "test");
    private volatile boolean isOver;
    private boolean isWorking;

    /** A thread with this context class loader. */
    TestThread(ClassLoader loader) {
        thread.setDaemon(false);
        thread.setContextClassLoader(loader);
        thread.start();
    }

    private void work() {
        if (isWorking) {
            // A test called run() of its own thread, which does nothing where a build runs it.
            return;
        }
        isWorking = true;
        while (!isOver) {
            try {
                tasks.take().run();
            } catch (InterruptedException byWhatATestLeft) {
                continue;
            }
        }
    }

    /** Whether it can run another. */
    boolean isUsable() {
        return !isOver && thread.isAlive();
    }

    /** Has it run something; what says when that has ended, and throws nothing of what it threw. */
    Future<Void> start(Runnable work) {
        FutureTask<Void> task = new FutureTask<>(work, null);
        tasks.add(task);
        return task;
    }

    /** Whether something ends within the time; a test that interrupts everybody does not shorten it. */
    static boolean ends(Future<Void> task, int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (true) {
            try {
                task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                return true;
            } catch (ExecutionException killed) {
                return true;
            } catch (TimeoutException late) {
                return false;
            } catch (InterruptedException fromCodeUnderTest) {
                continue;
            }
        }
    }

    /** Gives up on what it runs; where that was. */
    StackTraceElement[] giveUp() {
        isOver = true;
        StackTraceElement[] frames = thread.getStackTrace();
        thread.interrupt();
        return frames;
    }

    /** Has it end once it has nothing to do. */
    void end() {
        start(() -> isOver = true);
    }
}
