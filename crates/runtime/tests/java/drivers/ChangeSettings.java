import java.io.ByteArrayInputStream;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import testhound.runtime.Settings;

/** Changes settings one by one; each must be seen, and be gone once restored. */
public class ChangeSettings {
    public static void main(String[] args) throws Exception {
        String snapshot = Settings.snapshot();
        System.out.println(snapshot.replaceAll("\\d+", "N").replaceAll("(locale|zone) [^,]+", "$1 X"));
        check("nothing", () -> {});
        check("locale", () -> Locale.setDefault(new Locale.Builder().setLanguage("tr").build()));
        check("format locale", () -> Locale.setDefault(Locale.Category.FORMAT, Locale.JAPAN));
        check("display locale", () -> Locale.setDefault(Locale.Category.DISPLAY, Locale.JAPAN));
        check("time zone", () -> TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata")));
        check("hostile time zone", () -> TimeZone.setDefault(new HostileZone()));
        check("property set", () -> System.setProperty("a.new.property", "x"));
        check("property changed", () -> System.setProperty("user.dir", "/elsewhere"));
        check("property cleared", () -> System.clearProperty("line.separator"));
        check("property swapped", () -> {
            System.clearProperty("line.separator");
            System.setProperty("a.new.property", "x");
        });
        check("hostile property", () -> System.getProperties().put(new Hostile(), "x"));
        check("hostile value", () -> System.getProperties().put("user.dir", new Hostile()));
        check("properties replaced", () -> System.setProperties(new Properties()));
        check("in", () -> System.setIn(new ByteArrayInputStream(new byte[0])));
        check("out", () -> System.setOut(System.err));
        check("err", () -> System.setErr(System.out));
        check("handler", () -> Thread.setDefaultUncaughtExceptionHandler((t, e) -> {}));
        check("handler of the thread",
                () -> Thread.currentThread().setUncaughtExceptionHandler((t, e) -> {}));
        check("loader", () -> Thread.currentThread().setContextClassLoader(null));
        check("interrupt", () -> Thread.currentThread().interrupt());
        check("name", () -> Thread.currentThread().setName("renamed"));
        check("priority", () -> Thread.currentThread().setPriority(Thread.MIN_PRIORITY));
        check("two", () -> {
            Locale.setDefault(Locale.JAPAN);
            Thread.currentThread().interrupt();
        });
        threads();
    }

    private static void check(String name, Runnable change) {
        change.run();
        String seen = Settings.describe(Settings.changed());
        Settings.restore();
        String left = Settings.describe(Settings.changed());
        System.out.println(name + ": " + seen + (left.isEmpty() ? "" : ", not restored: " + left));
    }

    private static void threads() throws Exception {
        // Threads of the JDK itself do not count.
        ForkJoinPool.commonPool().submit(() -> 1).get();
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(
                1, TimeUnit.MILLISECONDS, Runnable::run)).get();
        System.out.println("of the JDK: " + Settings.newThreads());
        new Thread(() -> {}).start();
        System.out.println("ends by itself: " + Settings.awaitNewThreads(5000));
        CountDownLatch ready = new CountDownLatch(3);
        for (boolean daemon : new boolean[] {true, false}) {
            Thread sleeper = new Thread(() -> {
                ready.countDown();
                sleepUntilInterrupted();
            });
            sleeper.setDaemon(daemon);
            sleeper.start();
        }
        new Thread(() -> {
            ready.countDown();
            while (true) {
                sleepUntilInterrupted();
            }
        }).start();
        ready.await();
        System.out.println("new: " + Settings.newThreads());
        System.out.println("left: " + Settings.interruptNewThreads(500));
        System.out.println("changed: " + Settings.changed());
        Settings.snapshot();
        System.out.println("known by now: " + Settings.newThreads());
    }

    private static void sleepUntilInterrupted() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            return;
        }
    }

    private static final class HostileZone extends java.util.SimpleTimeZone {
        private static final long serialVersionUID = 1L;

        HostileZone() {
            super(0, "hostile");
        }

        @Override
        public Object clone() {
            // The JDK clones once when the zone is set, then each time it is asked for.
            if (new Throwable().getStackTrace()[1].getMethodName().equals("getDefault")) {
                throw new IllegalStateException("hostile");
            }
            return super.clone();
        }
    }

    /** Can be put into a map once; then every question about it throws. */
    private static final class Hostile {
        private int asked;

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("hostile");
        }

        @Override
        public int hashCode() {
            if (asked++ > 0) {
                throw new IllegalStateException("hostile");
            }
            return 1;
        }
    }
}
