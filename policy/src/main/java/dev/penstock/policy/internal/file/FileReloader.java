package dev.penstock.policy.internal.file;

import dev.penstock.Clock;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.PolicyFailure;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.spi.PolicyVersion;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds a value that is loaded from files and reloaded when they change.
 *
 * <p>Files, directories and links are polled every half second. A change is loaded once two polls in a row find the
 * same state, so that a half-written file is usually not read. A version comes into use as a whole or not at all: if it
 * has any error, the previous version stays in use, and the {@linkplain #failure failure} stays visible until the files
 * can be used.
 *
 * <p>Thread-safe. It has its own thread from {@link #start} until {@link #close}.
 */
public final class FileReloader<T> implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(FileReloader.class.getName());

    /** Files that keep changing are loaded after this many polls, so that a change is not postponed forever. */
    private static final int MOST_UNSTABLE_POLLS = 3;

    /** The assumed resolution of file times: a second change within this time may not be visible in them. */
    private static final long COARSE_MICROS = 2_000_000;

    /** The number of failures that are kept. */
    private static final int FAILURES_KEPT = 20;

    /** Loads the value from files and receives notifications. Called by one thread at a time. */
    public interface Content<T> {
        /** Returns the kind of content, for messages: {@code policies}. */
        String name();

        /** Loads the files under this version number. */
        T load(List<SourceFile> files, Findings findings, long number) throws PolicyErrors;

        PolicyVersion version(T loaded);

        /** A new version is in use. */
        default void onLoaded(T loaded) {}

        /** The files could not be used, but now match the version in use again. */
        default void onRecovered(T loaded) {}

        /** The files changed and cannot be used. The previous version stays in use. */
        default void onRejected(PolicyFailure failure) {}
    }

    private final List<Path> paths;
    private final Clock clock;
    private final Content<T> content;
    private final FilePoller looks;

    private volatile T current;
    private volatile @Nullable PolicyFailure failure;
    private volatile List<PolicyFailure> failures = List.of();

    // Used only by the polling thread, or under the lock:
    private FileFingerprint lastSeen;
    private @Nullable FileFingerprint unstable;
    private int unstablePolls;
    private String hash;

    /**
     * Loads the first version, but polls only when {@link #look} is called.
     *
     * @throws PolicyErrors if the files cannot be used as they are
     */
    public FileReloader(List<Path> paths, Clock clock, Content<T> content) throws PolicyErrors {
        this.paths = paths;
        this.clock = clock;
        this.content = content;
        FileFingerprint before = FileFingerprint.of(paths);
        T first = first();
        for (int i = 0; i < MOST_UNSTABLE_POLLS && !FileFingerprint.of(paths).equals(before); i++) {
            before = FileFingerprint.of(paths); // the files were replaced while they were read
            first = first();
        }
        this.lastSeen = before;
        this.current = first;
        this.hash = content.version(first).hash();
        this.looks = new FilePoller(content.name(), this::look);
    }

    private T first() throws PolicyErrors {
        Findings findings = new Findings();
        return content.load(PolicyFiles.read(paths, findings), findings, 1);
    }

    /** Starts to poll for changes. */
    public void start() {
        looks.start();
    }

    /** Returns the version in use. */
    public T current() {
        return current;
    }

    /** Returns why the files cannot be used as they are now; null if they can. */
    public @Nullable PolicyFailure failure() {
        return failure;
    }

    /** Returns the last rejected changes, newest first, including those before the last successful load. */
    public List<PolicyFailure> failures() {
        return failures;
    }

    /** Loads the files now, without waiting for two polls to find the same state. */
    public synchronized void reload() {
        take(FileFingerprint.of(paths));
    }

    /** Polls once: loads a change that two polls in a row have found. */
    public synchronized void look() {
        FileFingerprint now = FileFingerprint.of(paths);
        boolean coarse = clock.micros() - now.newestMicros() < COARSE_MICROS;
        if (now.equals(lastSeen) && failure == null && !(coarse && hasOtherContents())) {
            unstable = null;
            unstablePolls = 0;
        } else if (now.equals(unstable) || ++unstablePolls >= MOST_UNSTABLE_POLLS) {
            take(now);
        } else {
            unstable = now;
        }
    }

    private boolean hasOtherContents() {
        return !PolicyFiles.hash(PolicyFiles.read(paths, new Findings())).equals(hash);
    }

    private void take(FileFingerprint seen) {
        Findings findings = new Findings();
        List<SourceFile> files = PolicyFiles.read(paths, findings);
        if (!FileFingerprint.of(paths).equals(seen)) {
            unstable = null; // the files were replaced while they were read: poll again
            return;
        }
        lastSeen = seen;
        unstable = null;
        unstablePolls = 0;
        hash = PolicyFiles.hash(files);
        PolicyVersion version = content.version(current);
        if (findings.isEmpty() && hash.equals(version.hash())) {
            T same = current;
            if (failure != null) {
                failure = null;
                content.onRecovered(same);
            }
            return;
        }
        try {
            T next = content.load(files, findings, version.number() + 1);
            current = next;
            failure = null;
            PolicyVersion taken = content.version(next);
            LOG.log(Level.INFO, "{0}: version {1} ({2}) is in use", content.name(), taken.number(), taken.hash());
            content.onLoaded(next);
        } catch (PolicyErrors e) {
            reject(e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, content.name() + ": reading the files failed", e);
            reject(new PolicyErrors(
                    List.of(new PolicyError(paths.get(0).toString(), 0, 0, "", "cannot be read: " + e, null))));
        }
    }

    /**
     * Rejects a change. Rejected files are tried again at every poll, because a secret's file may appear, but the same
     * errors are reported only once.
     */
    private void reject(PolicyErrors e) {
        PolicyFailure before = failure;
        if (before != null && before.errors().equals(e.errors())) {
            return;
        }
        PolicyFailure rejected = new PolicyFailure(Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS), e.errors());
        failure = rejected;
        failures = Stream.concat(Stream.of(rejected), failures.stream())
                .limit(FAILURES_KEPT)
                .toList();
        LOG.log(
                Level.ERROR,
                content.name() + ": the files were changed and cannot be used; version "
                        + content.version(current).number() + " stays in use\n" + e.getMessage());
        content.onRejected(rejected);
    }

    /** Stops polling. The version in use stays. */
    @Override
    public void close() {
        looks.close();
    }
}
