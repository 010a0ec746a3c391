package testhound.runtime;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** A class path as written on a command line: folders and jars, those that are missing ignored. */
final class ClassPath {
    private ClassPath() {}

    static List<Path> entries(String classPath) {
        List<Path> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (!entry.isEmpty() && Files.exists(path)) {
                entries.add(path.toAbsolutePath());
            }
        }
        return entries;
    }

    static URL[] urls(List<Path> entries) throws MalformedURLException {
        URL[] urls = new URL[entries.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = entries.get(i).toUri().toURL();
        }
        return urls;
    }

    /** Differs when the entries do, or a jar was replaced; folders are read anew each time. */
    static String fingerprint(List<Path> entries) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path entry : entries) {
            text.append(entry);
            BasicFileAttributes attributes =
                    Files.readAttributes(entry, BasicFileAttributes.class);
            if (!attributes.isDirectory()) {
                text.append('|').append(attributes.size());
                text.append('|').append(attributes.lastModifiedTime().toMillis());
                text.append('|').append(attributes.fileKey());
            }
            text.append('\n');
        }
        return text.toString();
    }
}
