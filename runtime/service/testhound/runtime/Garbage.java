package testhound.runtime;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;

/**
 * Has what acts once an object is garbage act now: finalizers, and the actions of cleaners.
 *
 * <p>They run on threads of the JDK. Nothing tells when those are done, but while they have nothing
 * to do they wait; so does an action that itself waits, which is then not waited for.
 */
final class Garbage {
    /** What all of it gets, if it does not come to an end. */
    private static final int LIMIT_MILLIS = 1000;

    /** Looks at those threads, a millisecond apart, that must find them idle. */
    private static final int LOOKS = 2;

    private Garbage() {}

    /** Collects all garbage and waits for what that sets off; little more than the limit. */
    static void collect() {
        long end = System.nanoTime() + LIMIT_MILLIS * 1_000_000L;
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        PhantomReference<Object> ours = new PhantomReference<>(new Object(), queue);
        System.gc();
        try {
            // Once ours is there, the others have been handed out too, or will be in a moment.
            queue.remove(LIMIT_MILLIS);
            int idle = 0;
            while (idle < LOOKS && end - System.nanoTime() > 0) {
                Thread.sleep(1);
                idle = LiveThreads.isCleaning() ? 0 : idle + 1;
            }
        } catch (InterruptedException fromCodeUnderTest) {
            Thread.currentThread().interrupt();
        }
        ours.clear();
    }
}
