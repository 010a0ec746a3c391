package testhound.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The temporary folders of one test, as JUnit's {@code @TempDir} makes and deletes them. */
final class TempDirs {
    private final List<Path> folders = new ArrayList<>();

    /** A new folder, as the type of the field or parameter wants it. */
    Object create(Class<?> type) throws IOException, UnsupportedTestException {
        if (type != Path.class && type != File.class) {
            throw new UnsupportedTestException("@TempDir of type " + type.getName());
        }
        Path folder = Files.createTempDirectory("junit");
        folders.add(folder);
        return type == Path.class ? folder : folder.toFile();
    }

    /** Deletes the folders and all in them; links are deleted, not followed. */
    void delete() throws IOException {
        for (Path folder : folders) {
            if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
                Files.walkFileTree(folder, new Deletion());
            }
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException failure)
                throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
