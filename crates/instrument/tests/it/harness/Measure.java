import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IRuntime;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;

/** Runs main classes and writes what JaCoCo finds covered: Measure RESULT CLASSES_FOLDER CLASS... */
public final class Measure {
    public static void main(String[] arguments) throws Throwable {
        File folder = new File(arguments[1]);
        IRuntime runtime = new LoggerRuntime();
        RuntimeData data = new RuntimeData();
        runtime.startup(data);
        Instrumenter instrumenter = new Instrumenter(runtime);
        ClassLoader loader = new ClassLoader(Measure.class.getClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                try {
                    Path file = folder.toPath().resolve(name + ".class");
                    byte[] bytes = instrumenter.instrument(Files.readAllBytes(file), name);
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (java.io.IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        };
        for (int i = 2; i < arguments.length; i++) {
            Class<?> subject = Class.forName(arguments[i], false, loader);
            try {
                subject.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException thrown) {
                System.out.println("thrown: " + thrown.getCause());
            }
        }
        ExecutionDataStore hits = new ExecutionDataStore();
        data.collect(hits, new SessionInfoStore(), false);
        runtime.shutdown();
        CoverageBuilder found = new CoverageBuilder();
        new Analyzer(hits, found).analyzeAll(folder);
        TreeSet<String> lines = new TreeSet<>();
        for (IClassCoverage type : found.getClasses()) {
            for (IMethodCoverage method : type.getMethods()) {
                lines.add(type.getName() + "." + method.getName() + method.getDesc()
                        + " instructions " + shown(method.getInstructionCounter())
                        + " branches " + shown(method.getBranchCounter())
                        + " lines " + shown(method.getLineCounter()));
            }
        }
        Files.write(Path.of(arguments[0]), lines);
    }

    private static String shown(ICounter counter) {
        return counter.getCoveredCount() + "/" + counter.getTotalCount();
    }
}
