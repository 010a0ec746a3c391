import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import testhound.runtime.Compiler;

/** Compiles {@code name=text} pairs; prints the errors, then the classes written. */
public class Compile {
    public static void main(String[] args) throws Exception {
        String classPath = args[0];
        Path output = Path.of(args[1]);
        String release = args[2].isEmpty() ? null : args[2];
        int count = args.length - 3;
        String[] names = new String[count];
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            int equals = args[3 + i].indexOf('=');
            names[i] = args[3 + i].substring(0, equals);
            texts[i] = args[3 + i].substring(equals + 1);
        }
        for (String error : Compiler.compile(names, texts, classPath, output.toString(), release)) {
            System.out.println(error);
        }
        try (var files = Files.walk(output)) {
            files.filter(Files::isRegularFile)
                    .map(file -> output.relativize(file).toString().replace(File.separatorChar, '/'))
                    .sorted()
                    .forEach(System.out::println);
        }
    }
}
