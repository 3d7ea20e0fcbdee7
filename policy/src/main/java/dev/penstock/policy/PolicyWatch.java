package dev.penstock.policy;

import dev.penstock.Clock;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.policy.internal.file.FileReloader;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PolicyFileProvider;
import dev.penstock.spi.PolicyVersion;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Policies from files that change while they are in use: {@code Limiter.builder(PolicyWatch.of(path).start())}.
 *
 * <p>Files, directories and links are polled every half second. A change is loaded once two polls in a row find the
 * same state, so that a half-written file is usually not read. Files that keep changing are loaded after three polls. A
 * version comes into use as a whole or not at all: if it has any error, the previous version stays in use, and the
 * {@linkplain #failure failure} stays visible until the files can be used.
 *
 * <p>Thread-safe. It has its own thread, which ends with {@link #close}.
 */
public final class PolicyWatch implements PolicyFileProvider.WatchedPolicies {
    private static final System.Logger LOG = System.getLogger(PolicyWatch.class.getName());

    private final FileReloader<Policies> files;

    private PolicyWatch(Builder builder) throws PolicyErrors {
        this.files = new FileReloader<>(List.copyOf(builder.paths), builder.clock, new Content(builder));
    }

    /** Creates a watch over these files and directories. Call {@link Builder#start start} to begin. */
    public static Builder of(Path... paths) {
        return new Builder(Arrays.asList(Expect.present(paths, "paths").clone()));
    }

    @Override
    public Ask match(Request request) {
        return files.current().match(request);
    }

    @Override
    public Set<String> units() {
        return files.current().units();
    }

    /** Returns the version in use. */
    public Policies policies() {
        return files.current();
    }

    /** Returns the version of the policies in use. */
    public PolicyVersion version() {
        return policies().version();
    }

    /** Returns why the files cannot be used as they are now; null if they can. */
    public @Nullable PolicyFailure failure() {
        return files.failure();
    }

    /** Returns the last twenty rejected changes, newest first, including those before the last successful load. */
    public List<PolicyFailure> failures() {
        return files.failures();
    }

    /** Loads the files now, without waiting for two polls to find the same state. */
    public void reload() {
        files.reload();
    }

    /** Polls once: loads a change that two polls in a row have found. */
    void look() {
        files.look();
    }

    /** Stops polling. The version in use stays. */
    @Override
    public void close() {
        files.close();
    }

    /** Loads policies and notifies their listeners. */
    private static final class Content implements FileReloader.Content<Policies> {
        private final Clock clock;
        private final UnaryOperator<@Nullable String> environment;
        private final List<PolicyListener> listeners;

        Content(Builder builder) {
            this.clock = builder.clock;
            this.environment = builder.environment;
            this.listeners = List.copyOf(builder.listeners);
        }

        @Override
        public String name() {
            return "policies";
        }

        @Override
        public Policies load(List<SourceFile> files, Findings findings, long number) throws PolicyErrors {
            return Policies.loader()
                    .clock(clock)
                    .environment(environment)
                    .number(number)
                    .load(files, findings);
        }

        @Override
        public PolicyVersion version(Policies loaded) {
            return loaded.version();
        }

        @Override
        public void onLoaded(Policies loaded) {
            notifyListeners(listener -> listener.onLoaded(loaded));
        }

        @Override
        public void onRecovered(Policies loaded) {
            notifyListeners(listener -> listener.onRecovered(loaded));
        }

        @Override
        public void onRejected(PolicyFailure failure) {
            notifyListeners(listener -> listener.onRejected(failure));
        }

        private void notifyListeners(Consumer<PolicyListener> event) {
            for (PolicyListener listener : listeners) {
                try {
                    event.accept(listener);
                } catch (RuntimeException e) {
                    LOG.log(Level.WARNING, "a policy listener failed: " + listener.getClass(), e);
                }
            }
        }
    }

    /** Settings of a {@link PolicyWatch}. Not thread-safe. */
    public static final class Builder {
        private final List<Path> paths;
        private final List<PolicyListener> listeners = new ArrayList<>();
        private Clock clock = Clock.system();
        private UnaryOperator<@Nullable String> environment = System::getenv;

        private Builder(List<Path> paths) {
            Expect.that(!paths.isEmpty(), "paths", paths, "at least one");
            this.paths = paths;
        }

        /** Adds a listener, which is notified of each reload and of each version that has errors. */
        public Builder listener(PolicyListener listener) {
            listeners.add(Expect.present(listener, "listener"));
            return this;
        }

        /** Sets the clock that ends temporary overrides and dates failures. The default is this machine's clock. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /** Sets the source of environment variables. The default is the environment of this process. */
        public Builder environment(UnaryOperator<@Nullable String> variables) {
            environment = Expect.present(variables, "variables");
            return this;
        }

        /**
         * Loads the policies and starts to poll for changes.
         *
         * @throws PolicyErrors if the files cannot be used as they are
         */
        public PolicyWatch start() throws PolicyErrors {
            PolicyWatch watch = still();
            watch.files.start();
            return watch;
        }

        /** Loads the policies, but polls only when {@link #look} is called. */
        PolicyWatch still() throws PolicyErrors {
            return new PolicyWatch(this);
        }
    }
}
