package testhound.runtime;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;

/**
 * The class loader of JUnit and Mockito, shared by the runs of this JVM: loading Mockito takes longer
 * than running the tests of most classes. What is tested has a loader of its own in each run, below
 * this one.
 *
 * <p>Where the project is such a library itself, or has one inside its jar, nothing is shared.
 */
final class TestLibraries {
    /** A class of each library, those that they need included. */
    private static final List<String> MARKS = List.of(
            "org/mockito/Mockito.class", "org/mockito/junit/jupiter/MockitoExtension.class",
            "net/bytebuddy/ByteBuddy.class", "net/bytebuddy/agent/ByteBuddyAgent.class",
            "org/objenesis/Objenesis.class", "org/junit/jupiter/api/Test.class",
            "org/junit/platform/commons/JUnitException.class", "org/junit/Test.class",
            "org/opentest4j/AssertionFailedError.class", "org/apiguardian/api/API.class",
            "org/hamcrest/Matcher.class", "org/hamcrest/core/Is.class");

    private static final Map<Path, Set<String>> MARKS_OF_JARS = new HashMap<>();
    /** The JDK reads a jar's directory anew for each loader unless somebody holds the jar open. */
    private static final List<JarFile> HELD_OPEN = new ArrayList<>();
    private static final Map<List<Path>, ClassLoader> LOADERS = new HashMap<>();

    private TestLibraries() {}

    /** The loader of the libraries on a class path, or the platform's. */
    static synchronized ClassLoader on(List<Path> classPath, List<Path> project)
            throws IOException {
        Set<String> found = new HashSet<>();
        List<Path> libraries = new ArrayList<>();
        for (Path entry : classPath) {
            Set<String> marks = marks(entry);
            if (!marks.isEmpty() && project.contains(entry)) {
                return ClassLoader.getPlatformClassLoader();
            }
            if (found.addAll(marks)) {
                libraries.add(entry);
            }
        }
        ClassLoader loader = LOADERS.get(libraries);
        if (loader == null) {
            loader = libraries.isEmpty() ? ClassLoader.getPlatformClassLoader() : open(libraries);
            LOADERS.put(libraries, loader);
        }
        return loader;
    }

    private static ClassLoader open(List<Path> libraries) throws MalformedURLException {
        return new URLClassLoader(
                ClassPath.urls(libraries), ClassLoader.getPlatformClassLoader());
    }

    /** The marks in a jar or folder. What is no jar has none: who loads from it will say so. */
    private static Set<String> marks(Path entry) {
        if (Files.isDirectory(entry)) {
            Set<String> marks = new HashSet<>(MARKS);
            marks.removeIf(mark -> !Files.exists(entry.resolve(mark)));
            return marks;
        }
        return MARKS_OF_JARS.computeIfAbsent(entry, jar -> {
            Set<String> marks = new HashSet<>();
            try {
                JarFile file = new JarFile(jar.toFile());
                HELD_OPEN.add(file);
                MARKS.stream().filter(mark -> file.getEntry(mark) != null).forEach(marks::add);
            } catch (IOException noJar) {
                marks.clear();
            }
            return marks;
        });
    }
}
