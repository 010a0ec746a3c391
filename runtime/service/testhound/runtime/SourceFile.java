package testhound.runtime;

import java.net.URI;
import java.net.URISyntaxException;
import javax.tools.SimpleJavaFileObject;

/** A source file in memory. Its URI keeps the file name, which javac holds against the class. */
final class SourceFile extends SimpleJavaFileObject {
    private final String fileName;
    private final String text;

    SourceFile(String fileName, String text) {
        super(uri(fileName), Kind.SOURCE);
        this.fileName = fileName;
        this.text = text;
    }

    String fileName() {
        return fileName;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }

    private static URI uri(String fileName) {
        try {
            // This constructor quotes what a URI may not contain.
            return new URI("memory", null, "/" + fileName.replace('\\', '/'), null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
