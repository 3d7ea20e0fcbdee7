package dev.penstock.policy.envoy;

import dev.penstock.Clock;
import dev.penstock.internal.Expect;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.PolicyFailure;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.policy.internal.file.FileReloader;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.spi.PolicyVersion;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules from files that change while they are in use, taken as {@link dev.penstock.policy.PolicyWatch} takes policies: as a
 * whole or not at all.
 *
 * <p>Thread-safe; it has one thread of its own, which ends with {@link #close}.
 */
public final class EnvoyRulesWatch implements AutoCloseable {
    private final FileReloader<EnvoyRules> files;

    private EnvoyRulesWatch(FileReloader<EnvoyRules> files) {
        this.files = files;
    }

    /**
     * Loads the rules of files and directories, and begins to look for changes.
     *
     * @throws PolicyErrors where they cannot be used as they are
     */
    public static EnvoyRulesWatch start(List<Path> paths, SameDomain sameDomain) throws PolicyErrors {
        EnvoyRulesWatch watch = still(paths, sameDomain, Clock.system());
        watch.files.start();
        return watch;
    }

    /** Loads the rules; looks only when told. */
    static EnvoyRulesWatch still(List<Path> paths, SameDomain sameDomain, Clock clock) throws PolicyErrors {
        Expect.that(!paths.isEmpty(), "paths", paths, "at least one");
        Content content = new Content(Expect.present(sameDomain, "sameDomain"));
        return new EnvoyRulesWatch(new FileReloader<>(List.copyOf(paths), clock, content));
    }

    /** The version in use. */
    public EnvoyRules rules() {
        return files.current();
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

    /** Rules of files. */
    private record Content(SameDomain sameDomain) implements FileReloader.Content<EnvoyRules> {
        @Override
        public String name() {
            return "envoy rules";
        }

        @Override
        public EnvoyRules load(List<SourceFile> files, Findings findings, long number) throws PolicyErrors {
            return EnvoyRules.loader().sameDomain(sameDomain).number(number).load(files, findings);
        }

        @Override
        public PolicyVersion version(EnvoyRules loaded) {
            return loaded.version();
        }
    }
}
