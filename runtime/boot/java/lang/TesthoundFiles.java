package java.lang;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files in the temporary folder of the test case that is running: what tests in source do with the
 * folder that JUnit gives them, call for call. The folder is where the system property {@code
 * testhound.folder} says; who runs the test case makes and empties it.
 */
public final class TesthoundFiles {
    private static final Path FOLDER = Path.of(System.getProperty("testhound.folder", ""));

    private TesthoundFiles() {}

    public static Path folder() {
        return FOLDER;
    }

    public static Path file(String text) throws IOException {
        return Files.writeString(FOLDER.resolve("a.txt"), text);
    }

    public static Path otherFile(String text) throws IOException {
        return Files.writeString(FOLDER.resolve("b.txt"), text);
    }

    public static Path missing() {
        return FOLDER.resolve("missing.txt");
    }

    public static Path emptyFolder() throws IOException {
        return Files.createDirectories(FOLDER.resolve("empty"));
    }

    public static Path filledFolder(String text) throws IOException {
        Path folder = Files.createDirectories(FOLDER.resolve("filled"));
        return Files.writeString(folder.resolve("c.txt"), text).getParent();
    }

    public static String text(Path file) throws IOException {
        return Files.readString(file);
    }

    public static boolean exists(Path file) {
        return Files.exists(file);
    }

    public static File folderOfJavaIo() {
        return folder().toFile();
    }

    public static File fileOfJavaIo(String text) throws IOException {
        return file(text).toFile();
    }

    public static File otherFileOfJavaIo(String text) throws IOException {
        return otherFile(text).toFile();
    }

    public static File missingOfJavaIo() {
        return missing().toFile();
    }

    public static File emptyFolderOfJavaIo() throws IOException {
        return emptyFolder().toFile();
    }

    public static File filledFolderOfJavaIo(String text) throws IOException {
        return filledFolder(text).toFile();
    }

    public static String textOfJavaIo(File file) throws IOException {
        return Files.readString(file.toPath());
    }

    public static boolean existsOfJavaIo(File file) {
        return file.exists();
    }

    public static String folderByName() {
        return folder().toString();
    }

    public static String fileByName(String text) throws IOException {
        return file(text).toString();
    }

    public static String otherFileByName(String text) throws IOException {
        return otherFile(text).toString();
    }

    public static String missingByName() {
        return missing().toString();
    }

    public static String emptyFolderByName() throws IOException {
        return emptyFolder().toString();
    }

    public static String filledFolderByName(String text) throws IOException {
        return filledFolder(text).toString();
    }

    public static String textByName(String name) throws IOException {
        return Files.readString(Path.of(name));
    }

    public static boolean existsByName(String name) {
        return Files.exists(Path.of(name));
    }
}
