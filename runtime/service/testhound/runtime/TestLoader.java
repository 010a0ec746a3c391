package testhound.runtime;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The class loader of a run; remembers which classes of the project it has defined. */
final class TestLoader extends URLClassLoader implements StaticState.Project {
    static {
        registerAsParallelCapable();
    }

    private final Set<String> project = new HashSet<>();
    private final Set<Class<?>> ofProject = new LinkedHashSet<>();

    /** A loader of all these, but for test libraries; the project's are part of them. */
    TestLoader(List<Path> all, List<Path> project) throws IOException {
        super(ClassPath.urls(all), TestLibraries.on(all, project));
        for (URL url : ClassPath.urls(project)) {
            this.project.add(url.toString());
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        Class<?> found = super.findClass(name);
        CodeSource source = found.getProtectionDomain().getCodeSource();
        if (source != null && source.getLocation() != null
                && project.contains(source.getLocation().toString())) {
            synchronized (ofProject) {
                ofProject.add(found);
            }
        }
        return found;
    }

    /** As from one loader of all entries, in their order: the libraries come no sooner. */
    @Override
    public URL getResource(String name) {
        URL found = getPlatformClassLoader().getResource(name);
        return found != null ? found : findResource(name);
    }

    /** As above, each resource once. */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> found = Collections.list(getPlatformClassLoader().getResources(name));
        found.addAll(Collections.list(findResources(name)));
        return Collections.enumeration(found);
    }

    /** The project's classes whose static initializer has run, in the order of their definition. */
    @Override
    public List<Class<?>> initialized() throws ReflectiveOperationException {
        List<Class<?>> initialized;
        synchronized (ofProject) {
            initialized = new ArrayList<>(ofProject);
        }
        for (int i = initialized.size() - 1; i >= 0; i--) {
            if (!TesthoundReach.isInitialized(initialized.get(i))) {
                initialized.remove(i);
            }
        }
        return initialized;
    }

    /** Whether it defined the class, as one of the project. */
    @Override
    public boolean isOfProject(Class<?> type) {
        synchronized (ofProject) {
            return ofProject.contains(type);
        }
    }
}
