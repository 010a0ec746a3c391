import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintStream;

/** Links classes without initializing them: asking for constructors makes HotSpot verify. */
public final class Link {
    public static void main(String[] arguments) throws Exception {
        try (BufferedReader names = new BufferedReader(new FileReader(arguments[0]));
                PrintStream out = new PrintStream(arguments[1])) {
            for (String name = names.readLine(); name != null; name = names.readLine()) {
                String outcome = "linked";
                try {
                    Class.forName(name, false, Link.class.getClassLoader()).getDeclaredConstructors();
                } catch (Throwable problem) {
                    outcome = problem.getClass().getName() + ": " + problem.getMessage();
                }
                out.println(name + " " + outcome.replace('\n', ' '));
            }
        }
    }
}
