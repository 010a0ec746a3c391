package testhound.runtime;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard streams that swallow all output and have no input.
 *
 * <p>They remember being closed: in the user's test run it would be the real streams.
 */
final class Silence {
    /** Reading standard input, by its number among the effects. */
    private static final int INPUT_EFFECT = 15;

    /** Writing to standard output or error, by its number among the effects. */
    private static final int OUTPUT_EFFECT = 14;

    private volatile boolean broken;

    private Silence() {}

    /** Replaces the standard streams of the process. */
    static Silence fall() {
        Silence silence = new Silence();
        System.setIn(silence.new Input());
        System.setOut(new PrintStream(silence.new Output()));
        System.setErr(new PrintStream(silence.new Output()));
        return silence;
    }

    /** Whether one of the streams was closed. */
    boolean isBroken() {
        return broken;
    }

    /** Whether a stream was closed since this was last asked. */
    boolean takeBroken() {
        boolean was = broken;
        broken = false;
        return was;
    }

    private final class Input extends InputStream {
        @Override
        public int read() {
            // A test that reads its input hangs wherever that is a terminal or a pipe.
            Testhound.note(INPUT_EFFECT);
            return -1;
        }

        @Override
        public void close() {
            broken = true;
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int b) {
            Testhound.note(OUTPUT_EFFECT);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            Testhound.note(OUTPUT_EFFECT);
        }

        @Override
        public void close() {
            broken = true;
        }
    }
}
