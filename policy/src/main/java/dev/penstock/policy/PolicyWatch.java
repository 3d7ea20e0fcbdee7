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
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Policies from files that change while they are in use: {@code Limiter.builder(PolicyWatch.of(path).start())}.
 *
 * <p>Files, directories and links are looked at every half second; a change is taken once it has been still for one look, so
 * that a file that is being written is not read in the middle. A version comes into use as a whole, or not at all: where
 * anything is wrong the one before stays, and the failure stays {@linkplain #failure visible} until a good one comes.
 *
 * <p>Thread-safe; it has one thread of its own, which ends with {@link #close}.
 */
public final class PolicyWatch implements PolicyFileProvider.WatchedPolicies {
    private static final System.Logger LOG = System.getLogger(PolicyWatch.class.getName());

    private final FileReloader<Policies> files;

    private PolicyWatch(Builder builder) throws PolicyErrors {
        this.files = new FileReloader<>(List.copyOf(builder.paths), builder.clock, new Content(builder));
    }

    /** A watch over these files and directories, to be {@linkplain Builder#start started}. */
    public static Builder of(Path... paths) {
        return new Builder(Arrays.asList(Expect.present(paths, "paths").clone()));
    }

    @Override
    public Ask match(Request request) {
        return files.current().match(request);
    }

    /** The version in use. */
    public Policies policies() {
        return files.current();
    }

    public PolicyVersion version() {
        return policies().version();
    }

    /** Why the files as they are now cannot be used; null while they can. */
    public @Nullable PolicyFailure failure() {
        return files.failure();
    }

    /** The last twenty changes that could not be used, the newest first; also those before one that could. */
    public List<PolicyFailure> failures() {
        return files.failures();
    }

    /** Looks at the files now, without waiting for them to be still. */
    public void reload() {
        files.reload();
    }

    /** One look: takes what has changed and is still. */
    void look() {
        files.look();
    }

    /** Stops looking; the version in use stays. */
    @Override
    public void close() {
        files.close();
    }

    /** Policies of files, and those who are told of them. */
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
            tell(listener -> listener.onLoaded(loaded));
        }

        @Override
        public void onRecovered(Policies loaded) {
            tell(listener -> listener.onRecovered(loaded));
        }

        @Override
        public void onRejected(PolicyFailure failure) {
            tell(listener -> listener.onRejected(failure));
        }

        private void tell(Consumer<PolicyListener> event) {
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

        public Builder listener(PolicyListener listener) {
            listeners.add(Expect.present(listener, "listener"));
            return this;
        }

        /** The clock by which raises end and failures are dated; this machine's by default. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /** Where variables of the environment come from; the process's by default. */
        public Builder environment(UnaryOperator<@Nullable String> variables) {
            environment = Expect.present(variables, "variables");
            return this;
        }

        /**
         * Loads the policies and begins to look for changes.
         *
         * @throws PolicyErrors where they cannot be used as they are
         */
        public PolicyWatch start() throws PolicyErrors {
            PolicyWatch watch = still();
            watch.files.start();
            return watch;
        }

        /** Loads the policies; looks only when told. */
        PolicyWatch still() throws PolicyErrors {
            return new PolicyWatch(this);
        }
    }
}
