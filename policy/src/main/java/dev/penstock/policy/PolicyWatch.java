package dev.penstock.policy;

import dev.penstock.Ask;
import dev.penstock.Clock;
import dev.penstock.PolicySet;
import dev.penstock.PolicyVersion;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.policy.internal.FileMarks;
import dev.penstock.policy.internal.PolicyFiles;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.SourceFile;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
public final class PolicyWatch implements PolicySet, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PolicyWatch.class.getName());
    private static final long LOOK_MILLIS = 500;

    /** Files that are never still are taken as they are, so that a change is not put off for ever. */
    private static final int MOST_UNSTILL_LOOKS = 3;

    /** How coarse the times of files can be: within it a second change may leave no mark. */
    private static final long COARSE_MICROS = 2_000_000;

    private final List<Path> paths;
    private final UnaryOperator<@Nullable String> environment;
    private final Clock clock;
    private final List<PolicyListener> listeners;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "penstock-policies");
        thread.setDaemon(true);
        return thread;
    });

    private volatile Policies current;
    private volatile @Nullable PolicyFailure failure;

    // Of the one who looks:
    private FileMarks marks;
    private @Nullable FileMarks unstill;
    private int unstillLooks;
    private String hash;

    private PolicyWatch(Builder builder) throws PolicyErrors {
        this.paths = builder.paths;
        this.environment = builder.environment;
        this.clock = builder.clock;
        this.listeners = List.copyOf(builder.listeners);
        FileMarks before = FileMarks.of(paths);
        Policies first = load(1);
        for (int i = 0; i < MOST_UNSTILL_LOOKS && !FileMarks.of(paths).equals(before); i++) {
            before = FileMarks.of(paths); // swapped while it was read
            first = load(1);
        }
        this.marks = before;
        this.current = first;
        this.hash = first.version().hash();
    }

    /** A watch over these files and directories, to be {@linkplain Builder#start started}. */
    public static Builder of(Path... paths) {
        return new Builder(Arrays.asList(Expect.present(paths, "paths").clone()));
    }

    @Override
    public Ask match(Request request) {
        return current.match(request);
    }

    /** The version in use. */
    public Policies policies() {
        return current;
    }

    public PolicyVersion version() {
        return current.version();
    }

    /** Why the files as they are now cannot be used; null while they can. */
    public @Nullable PolicyFailure failure() {
        return failure;
    }

    /** Looks at the files now, without waiting for them to be still. */
    public synchronized void reload() {
        take(FileMarks.of(paths));
    }

    /** One look: takes what has changed and is still. */
    synchronized void look() {
        FileMarks now = FileMarks.of(paths);
        boolean coarse = clock.micros() - now.newestMicros() < COARSE_MICROS;
        if (now.equals(marks) && failure == null && !(coarse && hasOtherContents())) {
            unstill = null;
            unstillLooks = 0;
        } else if (now.equals(unstill) || ++unstillLooks >= MOST_UNSTILL_LOOKS) {
            take(now);
        } else {
            unstill = now;
        }
    }

    private boolean hasOtherContents() {
        return !PolicyFiles.hash(PolicyFiles.read(paths, new Findings())).equals(hash);
    }

    private void take(FileMarks seen) {
        Findings findings = new Findings();
        List<SourceFile> files = PolicyFiles.read(paths, findings);
        if (!FileMarks.of(paths).equals(seen)) {
            unstill = null; // swapped while it was read: another look
            return;
        }
        marks = seen;
        unstill = null;
        unstillLooks = 0;
        hash = PolicyFiles.hash(files);
        if (findings.isEmpty() && hash.equals(current.version().hash())) {
            Policies same = current;
            if (failure != null) {
                failure = null;
                tell(listener -> listener.onRecovered(same));
            }
            return;
        }
        try {
            Policies next = loader(current.version().number() + 1).load(files, findings);
            current = next;
            failure = null;
            LOG.log(
                    Level.INFO,
                    "policies: version {0} ({1}) is in use",
                    next.version().number(),
                    next.version().hash());
            tell(listener -> listener.onLoaded(next));
        } catch (PolicyErrors e) {
            reject(e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "policies: reading the files failed", e);
            reject(new PolicyErrors(
                    List.of(new PolicyError(paths.get(0).toString(), 0, 0, "", "cannot be read: " + e, null))));
        }
    }

    /** What was rejected already is tried again at every look, since a secret's file may have come, but told once. */
    private void reject(PolicyErrors e) {
        PolicyFailure before = failure;
        if (before != null && before.errors().equals(e.errors())) {
            return;
        }
        PolicyFailure rejected = new PolicyFailure(Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS), e.errors());
        failure = rejected;
        LOG.log(
                Level.ERROR,
                "policies: the files were changed and cannot be used; version "
                        + current.version().number() + " stays in use\n" + e.getMessage());
        tell(listener -> listener.onRejected(rejected));
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

    private Policies load(long number) throws PolicyErrors {
        return loader(number).load(paths);
    }

    private Policies.Loader loader(long number) {
        return Policies.loader().clock(clock).environment(environment).number(number);
    }

    private void lookQuietly() {
        try {
            look();
        } catch (Throwable e) { // whatever it is, the next look comes
            LOG.log(Level.ERROR, "policies: looking at the files failed", e);
        }
    }

    /** Stops looking; the version in use stays. */
    @Override
    public void close() {
        looking.shutdownNow();
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
            var unused = watch.looking.scheduleWithFixedDelay(
                    watch::lookQuietly, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return watch;
        }

        /** Loads the policies; looks only when told. */
        PolicyWatch still() throws PolicyErrors {
            return new PolicyWatch(this);
        }
    }
}
