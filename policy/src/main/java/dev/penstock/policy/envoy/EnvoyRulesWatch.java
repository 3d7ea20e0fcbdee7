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
 * Envoy rules from files that change while they are in use. Like {@link dev.penstock.policy.PolicyWatch}, it loads a
 * change as a whole or not at all.
 *
 * <p>Thread-safe. It has its own thread, which ends with {@link #close}.
 */
public final class EnvoyRulesWatch implements AutoCloseable {
    private final FileReloader<EnvoyRules> files;

    private EnvoyRulesWatch(FileReloader<EnvoyRules> files) {
        this.files = files;
    }

    /**
     * Loads the rules of files and directories, and starts to poll for changes.
     *
     * @throws PolicyErrors if the files cannot be used as they are
     */
    public static EnvoyRulesWatch start(List<Path> paths, SameDomain sameDomain) throws PolicyErrors {
        EnvoyRulesWatch watch = still(paths, sameDomain, Clock.system());
        watch.files.start();
        return watch;
    }

    /** Loads the rules, but polls only when {@link #look} is called. */
    static EnvoyRulesWatch still(List<Path> paths, SameDomain sameDomain, Clock clock) throws PolicyErrors {
        Expect.that(!paths.isEmpty(), "paths", paths, "at least one");
        Content content = new Content(Expect.present(sameDomain, "sameDomain"));
        return new EnvoyRulesWatch(new FileReloader<>(List.copyOf(paths), clock, content));
    }

    /** Returns the version in use. */
    public EnvoyRules rules() {
        return files.current();
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

    /** Loads rules from files. */
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
