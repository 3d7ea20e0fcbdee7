package dev.penstock.policy;

import dev.penstock.Clock;
import dev.penstock.Request;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.policy.internal.file.PolicyFiles;
import dev.penstock.policy.internal.read.PolicySetReader;
import dev.penstock.policy.internal.read.SecretSource;
import dev.penstock.policy.internal.select.CounterLabels;
import dev.penstock.policy.internal.select.Counters;
import dev.penstock.policy.internal.select.Explainer;
import dev.penstock.policy.internal.select.Selector;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.PolicyVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One version of a set of policies, loaded from YAML files: {@code Limiter.builder(Policies.load(path))}.
 *
 * <p>Immutable and thread-safe. For files that change while they are in use, see {@link PolicyWatch}.
 */
public final class Policies implements PolicySet {
    private final Selector selector;
    private final CounterLabels wording;
    private final Counters counters;
    private final List<PolicySource> sources;
    private final Instant loadedAt;
    private final List<PolicyError> notes;

    private Policies(Selector selector, List<PolicySource> sources, Instant loadedAt, List<PolicyError> notes) {
        this.sources = sources;
        this.loadedAt = loadedAt;
        this.notes = notes;
        this.selector = selector;
        this.wording = new CounterLabels(selector.contents());
        this.counters = new Counters(selector.contents());
    }

    /**
     * Loads the policies of files. A directory stands for all of its {@code *.yaml} and {@code *.yml} files.
     *
     * @throws PolicyErrors with all errors in all of the files
     */
    @CheckReturnValue
    public static Policies load(Path... paths) throws PolicyErrors {
        return loader().load(paths);
    }

    /** Parses policies from a text. Errors refer to it by the given name. */
    public static Policies parse(String name, String text) throws PolicyErrors {
        return loader().parse(name, text);
    }

    /** Returns the JSON Schema of the policy language, for editors. */
    public static String schema() {
        try (InputStream in = Policies.class.getResourceAsStream("policies.schema.json")) {
            return new String(Expect.present(in, "policies.schema.json").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a loader with default settings. */
    public static Loader loader() {
        return new Loader();
    }

    @Override
    public Ask match(Request request) {
        return selector.select(Expect.present(request, "request"));
    }

    @Override
    public Set<String> units() {
        return selector.units();
    }

    /** Returns the version of these policies, which every decision reports. */
    public PolicyVersion version() {
        return selector.contents().version();
    }

    /** Returns when the policies were loaded, by the loader's clock. */
    public Instant loadedAt() {
        return loadedAt;
    }

    /** Returns how many files, policies, limits, plans and tenants there are. */
    public PolicyCounts counts() {
        return selector.contents().counts();
    }

    /** Returns the texts that the policies were read from. They contain no secrets, only where to find them. */
    public List<PolicySource> sources() {
        return sources;
    }

    /**
     * Returns notes on parts of the files that are valid, but probably do not do what the author expects, such as a
     * leased policy for which leasing saves no round trip.
     */
    public List<PolicyError> notes() {
        return notes;
    }

    /** Explains how the policies apply to the request, and why. Charges nothing. */
    public Explanation explain(Request request) {
        return Explainer.of(selector, Expect.present(request, "request"));
    }

    /**
     * Returns the key parts of a counter as the files spell them: {@code tenant, ip/24}. Empty for an unknown counter.
     */
    public List<String> keyParts(String counter) {
        return wording.keyParts(Expect.present(counter, "counter"));
    }

    /**
     * Returns true if an attribute's values must not be kept in plain text: it is listed in {@code secrets} or hashed
     * in a key.
     */
    public boolean hides(String attribute) {
        return wording.hides(Expect.present(attribute, "attribute"));
    }

    /**
     * Returns the most specific pattern that matches the request's route, from the policy and from {@code routes}.
     * Returns {@code other} if none matches, and null if the request has no route or the policy does not exist.
     */
    public @Nullable String route(String policy, Request request) {
        return wording.route(Expect.present(policy, "policy"), Expect.present(request, "request"));
    }

    /** Returns the plan that applies to the request; null if the files define no plans. */
    public @Nullable String plan(Request request) {
        return wording.plan(Expect.present(request, "request"));
    }

    /**
     * Returns a charge of cost 0 on one key for each limit of a policy, to peek at the accounts or to reset them. A
     * limit that takes its numbers from a plan uses the plan of the tenant in the key. If the key has no tenant, there
     * is one charge per plan.
     *
     * @param limit the id of one of the policy's limits; null for all limits whose keys have this number of parts
     * @param key the values of the key, where null stands for an absent value; for a value that the policy hashes,
     *     either the hash or the value itself
     * @throws IllegalArgumentException if the policy, the limit or the key does not exist
     */
    public List<Charge> charges(String policy, @Nullable String limit, List<@Nullable String> key) {
        return counters.charges(Expect.present(policy, "policy"), limit, Expect.present(key, "key"));
    }

    /**
     * Returns the counters that a policy's limits count under, for any key.
     *
     * @throws IllegalArgumentException if the policy does not exist
     */
    public Set<String> counters(String policy) {
        return counters.of(Expect.present(policy, "policy"));
    }

    /** Returns the other policies that count under one of this policy's counters. */
    public Set<String> sharingCounters(String policy) {
        return counters.sharing(Expect.present(policy, "policy"));
    }

    /** Returns the name of the policy that each candidate may replace, by the candidate's name. */
    public Map<String, String> candidates() {
        return selector.liveByCandidate();
    }

    /**
     * Returns the number of replicas that must acknowledge a charge, by policy. Policies that wait for none are left
     * out.
     */
    public Map<String, Integer> replicas() {
        return counters.replicas();
    }

    Selector selector() {
        return selector;
    }

    @Override
    public String toString() {
        return "Policies(" + version() + ", " + selector.contents().policies().size() + " policies)";
    }

    /** Loads policies. Not thread-safe. */
    public static final class Loader {
        private Clock clock = Clock.system();
        private SecretSource secrets = SecretSource.of(System::getenv);
        private long number = 1;

        private Loader() {}

        /** Sets the clock that decides when temporary overrides end. The default is this machine's clock. */
        public Loader clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /** Sets the source of environment variables. The default is the environment of this process. */
        public Loader environment(UnaryOperator<@Nullable String> variables) {
            secrets = SecretSource.of(Expect.present(variables, "variables"));
            return this;
        }

        /**
         * Loads without secrets, for checking files on a machine that does not have them. Hashed values then differ
         * from those in production.
         */
        public Loader withoutSecrets() {
            secrets = SecretSource.none();
            return this;
        }

        /** Sets the version number. The default is 1. */
        public Loader number(long other) {
            number = Expect.positive(other, "number");
            return this;
        }

        /** Loads the files as one set of policies. A directory stands for the YAML files in it. */
        public Policies load(Path... paths) throws PolicyErrors {
            return load(Arrays.asList(Expect.present(paths, "paths")));
        }

        /** Loads the files as one set of policies. A directory stands for the YAML files in it. */
        public Policies load(List<Path> paths) throws PolicyErrors {
            Expect.that(!paths.isEmpty(), "paths", paths, "at least one");
            Findings findings = new Findings();
            List<SourceFile> files = PolicyFiles.read(paths, findings);
            return load(files, findings);
        }

        /** Parses a text. Errors give its name instead of a file name. */
        public Policies parse(String name, String text) throws PolicyErrors {
            return parse(List.of(new PolicySource(name, text)));
        }

        /** Parses several texts as one set of policies. */
        public Policies parse(List<PolicySource> texts) throws PolicyErrors {
            List<SourceFile> files = texts.stream()
                    .map(each -> SourceFile.of(each.name(), each.text()))
                    .toList();
            return load(files, new Findings());
        }

        Policies load(List<SourceFile> files, Findings findings) throws PolicyErrors {
            PolicyVersion version = new PolicyVersion(number, PolicyFiles.hash(files));
            Selector.Contents contents =
                    PolicySetReader.read(files, new PolicySetReader.ReadContext(secrets, clock, version), findings);
            findings.throwIfAny();
            Instant now = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
            List<PolicySource> sources = files.stream()
                    .map(file -> new PolicySource(file.name(), file.text()))
                    .toList();
            return new Policies(new Selector(Expect.present(contents, "contents")), sources, now, findings.notes());
        }
    }
}
