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
 * What was loaded from files that change while it is in use.
 *
 * <p>Files, directories and links are looked at every half second; a change is taken once it has been still for one look, so
 * that a file that is being written is not read in the middle. A version comes into use as a whole, or not at all: where
 * anything is wrong the one before stays, and the failure stays {@linkplain #failure visible} until a good one comes.
 *
 * <p>Thread-safe; it has one thread of its own from {@link #start} on, which ends with {@link #close}.
 */
public final class FileReloader<T> implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(FileReloader.class.getName());

    /** Files that are never still are taken as they are, so that a change is not put off for ever. */
    private static final int MOST_UNSTILL_LOOKS = 3;

    /** How coarse the times of files can be: within it a second change may leave no mark. */
    private static final long COARSE_MICROS = 2_000_000;

    /** How many failures are remembered. */
    private static final int FAILURES_KEPT = 20;

    /** What files are made into, and who is told. Called by one thread at a time. */
    public interface Content<T> {
        /** What people call it: {@code policies}. */
        String name();

        /** What the files say, under this number of the version. */
        T load(List<SourceFile> files, Findings findings, long number) throws PolicyErrors;

        PolicyVersion version(T loaded);

        /** A new version is in use. */
        default void onLoaded(T loaded) {}

        /** The files are again as they were when the version in use was loaded, after they could not be used. */
        default void onRecovered(T loaded) {}

        /** The files changed and cannot be used: the version before stays in use. */
        default void onRejected(PolicyFailure failure) {}
    }

    private final List<Path> paths;
    private final Clock clock;
    private final Content<T> content;
    private final FilePoller looks;

    private volatile T current;
    private volatile @Nullable PolicyFailure failure;
    private volatile List<PolicyFailure> failures = List.of();

    // Of the one who looks:
    private FileFingerprint marks;
    private @Nullable FileFingerprint unstill;
    private int unstillLooks;
    private String hash;

    /**
     * Loads the first version; looks only when told.
     *
     * @throws PolicyErrors where the files cannot be used as they are
     */
    public FileReloader(List<Path> paths, Clock clock, Content<T> content) throws PolicyErrors {
        this.paths = paths;
        this.clock = clock;
        this.content = content;
        FileFingerprint before = FileFingerprint.of(paths);
        T first = first();
        for (int i = 0; i < MOST_UNSTILL_LOOKS && !FileFingerprint.of(paths).equals(before); i++) {
            before = FileFingerprint.of(paths); // swapped while it was read
            first = first();
        }
        this.marks = before;
        this.current = first;
        this.hash = content.version(first).hash();
        this.looks = new FilePoller(content.name(), this::look);
    }

    private T first() throws PolicyErrors {
        Findings findings = new Findings();
        return content.load(PolicyFiles.read(paths, findings), findings, 1);
    }

    /** Begins to look for changes. */
    public void start() {
        looks.start();
    }

    /** The version in use. */
    public T current() {
        return current;
    }

    /** Why the files as they are now cannot be used; null while they can. */
    public @Nullable PolicyFailure failure() {
        return failure;
    }

    /** The last changes that could not be used, the newest first; also those before one that could. */
    public List<PolicyFailure> failures() {
        return failures;
    }

    /** Looks at the files now, without waiting for them to be still. */
    public synchronized void reload() {
        take(FileFingerprint.of(paths));
    }

    /** One look: takes what has changed and is still. */
    public synchronized void look() {
        FileFingerprint now = FileFingerprint.of(paths);
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

    private void take(FileFingerprint seen) {
        Findings findings = new Findings();
        List<SourceFile> files = PolicyFiles.read(paths, findings);
        if (!FileFingerprint.of(paths).equals(seen)) {
            unstill = null; // swapped while it was read: another look
            return;
        }
        marks = seen;
        unstill = null;
        unstillLooks = 0;
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

    /** What was rejected already is tried again at every look, since a secret's file may have come, but told once. */
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

    /** Stops looking; the version in use stays. */
    @Override
    public void close() {
        looks.close();
    }
}
