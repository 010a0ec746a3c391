package testhound.runtime;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * The JDK's own compiler, kept warm.
 *
 * <p>Sources come from memory, classes go to a folder. Either all classes are written or none:
 * with errors in some files, the caller tries again without those.
 *
 * <p>Invariant: no errors returned means that every class was written.
 */
public final class Compiler {
    /** Deeply nested expressions overflow the stack of a thread that was made for other work. */
    private static final long STACK_SIZE = 64L << 20;

    private static StandardJavaFileManager files;
    private static String filesFor;

    private Compiler() {}

    /**
     * Compiles files given by name ({@code org/example/FooTest.java}) and text.
     *
     * @param release as {@code --release} of the compiler, or null for its own version
     * @return errors as {@code file:line:column:ERROR:message}, backslash-escaped to one line each;
     *     the file is empty and line and column are 0 for an error of no file in particular
     */
    public static synchronized String[] compile(
            String[] fileNames, String[] sources, String classPath, String outputDir,
            String release) {
        List<String> errors = new ArrayList<>();
        Thread thread = new Thread(null, () -> {
            try {
                compile(sourceFiles(fileNames, sources), classPath, outputDir, release, errors);
            } catch (Throwable failure) {
                // A crash of the compiler or an unusable folder; an answer like any other.
                errors.add(general(failure.toString()));
            }
        }, "compiler", STACK_SIZE);
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return errors.toArray(new String[0]);
    }

    private static void compile(
            Map<String, SourceFile> units, String classPath, String outputDir, String release,
            List<String> errors) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        if (javac == null) {
            errors.add(general("this Java runtime has no compiler; a JDK is needed"));
            return;
        }
        StandardJavaFileManager files = filesFor(javac, classPath);
        Path output = Files.createDirectories(Path.of(outputDir));
        files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(output));
        StringWriter text = new StringWriter();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        boolean success = javac
                .getTask(text, files, diagnostics, options(release), null, units.values())
                .call();
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                errors.add(line(diagnostic, units));
            }
        }
        if (!success && errors.isEmpty()) {
            // The compiler crashed; it then tells its writer, not the listener.
            errors.add(general("the compiler failed: " + text));
        }
    }

    private static List<String> options(String release) {
        List<String> options = new ArrayList<>(List.of(
                "-proc:none", "-nowarn", "-Xlint:none", "-g", "-implicit:none",
                "-Xmaxerrs", "1000000",
                // All files are checked even if one cannot be parsed, so that one call finds
                // every broken file.
                "-XDshould-stop.ifError=FLOW",
                // Nothing is written before everything is checked.
                "-XDcompilePolicy=simple"));
        if (release != null) {
            options.add("--release");
            options.add(release);
        }
        return options;
    }

    /** The file manager holds the opened jars, which is most of what warm means. */
    private static StandardJavaFileManager filesFor(JavaCompiler javac, String classPath)
            throws IOException {
        List<Path> entries = ClassPath.entries(classPath);
        String key = ClassPath.fingerprint(entries);
        if (!key.equals(filesFor)) {
            if (files != null) {
                files.close();
                filesFor = null;
            }
            files = javac.getStandardFileManager(null, Locale.ROOT, null);
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, entries);
            // Else sources lying on the class path would be compiled along.
            files.setLocationFromPaths(StandardLocation.SOURCE_PATH, List.of());
            filesFor = key;
        }
        return files;
    }

    private static Map<String, SourceFile> sourceFiles(String[] fileNames, String[] sources) {
        Map<String, SourceFile> units = new LinkedHashMap<>();
        for (int i = 0; i < fileNames.length; i++) {
            SourceFile unit = new SourceFile(fileNames[i], sources[i]);
            if (units.put(unit.toUri().toString(), unit) != null) {
                throw new IllegalArgumentException("two files are named " + fileNames[i]);
            }
        }
        return units;
    }

    private static String line(
            Diagnostic<? extends JavaFileObject> diagnostic, Map<String, SourceFile> units) {
        String message = diagnostic.getMessage(Locale.ROOT);
        JavaFileObject file = diagnostic.getSource();
        SourceFile unit = file == null ? null : units.get(file.toUri().toString());
        if (unit == null) {
            return general(file == null ? message : file.getName() + ": " + message);
        }
        return unit.fileName() + ":" + Math.max(0, diagnostic.getLineNumber()) + ":"
                + Math.max(0, diagnostic.getColumnNumber()) + ":ERROR:" + Line.escape(message);
    }

    private static String general(String message) {
        return ":0:0:ERROR:" + Line.escape(message);
    }
}
