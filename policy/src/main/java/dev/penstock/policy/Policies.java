package dev.penstock.policy;

import dev.penstock.Clock;
import dev.penstock.Request;
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
 * <p>Immutable and thread-safe. Files that change while they are in use are for {@link PolicyWatch}.
 */
public final class Policies implements PolicySet {
    private final Selector selector;
    private final CounterLabels wording;
    private final Counters counters;
    private final List<PolicySource> sources;
    private final Instant loadedAt;

    private Policies(Selector selector, List<PolicySource> sources, Instant loadedAt) {
        this.sources = sources;
        this.loadedAt = loadedAt;
        this.selector = selector;
        this.wording = new CounterLabels(selector.contents());
        this.counters = new Counters(selector.contents());
    }

    /**
     * The policies of files, or of all {@code *.yaml} and {@code *.yml} of directories.
     *
     * @throws PolicyErrors with everything that is wrong in any of them
     */
    public static Policies load(Path... paths) throws PolicyErrors {
        return loader().load(paths);
    }

    /** The policies of a text, which errors call by that name. */
    public static Policies parse(String name, String text) throws PolicyErrors {
        return loader().parse(name, text);
    }

    /** The JSON Schema of the language, for editors. */
    public static String schema() {
        try (InputStream in = Policies.class.getResourceAsStream("policies.schema.json")) {
            return new String(Expect.present(in, "policies.schema.json").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Loader loader() {
        return new Loader();
    }

    @Override
    public Ask match(Request request) {
        return selector.select(Expect.present(request, "request"));
    }

    public PolicyVersion version() {
        return selector.contents().version();
    }

    /** When they were read, by their clock. */
    public Instant loadedAt() {
        return loadedAt;
    }

    /** How much they say. */
    public PolicyCounts counts() {
        return selector.contents().counts();
    }

    /** The texts that they were read from. Secrets are never in them: the language takes only where those are to be found. */
    public List<PolicySource> sources() {
        return sources;
    }

    /** What they make of the request, and why; charges nothing. */
    public Explanation explain(Request request) {
        return Explainer.of(selector, Expect.present(request, "request"));
    }

    /** What the keys of a counter are made of, as the files have it: {@code tenant, ip/24}; none where it is not known. */
    public List<String> keyParts(String counter) {
        return wording.keyParts(Expect.present(counter, "counter"));
    }

    /** Whether the values of an attribute are not to be kept in clear: it is among {@code secrets}, or hashed in a key. */
    public boolean hides(String attribute) {
        return wording.hides(Expect.present(attribute, "attribute"));
    }

    /**
     * The most specific pattern of the request's route, of the policy's own and those under {@code routes}; {@code other} where
     * none matches, null where the request has no route or there is no such policy.
     */
    public @Nullable String route(String policy, Request request) {
        return wording.route(Expect.present(policy, "policy"), Expect.present(request, "request"));
    }

    /** The plan that holds for the request; null where the files have no plans. */
    public @Nullable String plan(Request request) {
        return wording.plan(Expect.present(request, "request"));
    }

    /**
     * The charges, at no cost, of a policy's limits on one key, to look at what was counted or to reset it. Where a limit takes its
     * numbers from a plan, that is the plan of the tenant in the key; where there is none in it, there is a charge for each plan.
     *
     * @param limit the id of one of its limits; null: all whose keys have as many parts
     * @param key the values as they are in the key; a value that the policy hashes may be the hash or the value itself; null for one
     *     that is not there
     * @throws IllegalArgumentException where there is no such policy, limit or key
     */
    public List<Charge> charges(String policy, @Nullable String limit, List<@Nullable String> key) {
        return counters.charges(Expect.present(policy, "policy"), limit, Expect.present(key, "key"));
    }

    /**
     * The counters that a policy's limits count under, whatever the key.
     *
     * @throws IllegalArgumentException where there is no such policy
     */
    public Set<String> counters(String policy) {
        return counters.of(Expect.present(policy, "policy"));
    }

    /** The other policies that count under one of these. */
    public Set<String> sharingCounters(String policy) {
        return counters.sharing(Expect.present(policy, "policy"));
    }

    /** The number of replicas that must confirm an allowed charge, by policy; policies that wait for none are left out. */
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

    /** How policies are loaded. Not thread-safe. */
    public static final class Loader {
        private Clock clock = Clock.system();
        private SecretSource secrets = SecretSource.of(System::getenv);
        private long number = 1;

        private Loader() {}

        /** The clock by which raises end; this machine's by default. */
        public Loader clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /** Where variables of the environment come from; the process's by default. */
        public Loader environment(UnaryOperator<@Nullable String> variables) {
            secrets = SecretSource.of(Expect.present(variables, "variables"));
            return this;
        }

        /** Asks for no secrets: for checking files where the secrets are not. What is hashed then is of no use. */
        public Loader withoutSecrets() {
            secrets = SecretSource.none();
            return this;
        }

        /** The number of the version; 1 by default. */
        public Loader number(long other) {
            number = Expect.positive(other, "number");
            return this;
        }

        public Policies load(Path... paths) throws PolicyErrors {
            return load(Arrays.asList(Expect.present(paths, "paths")));
        }

        public Policies load(List<Path> paths) throws PolicyErrors {
            Expect.that(!paths.isEmpty(), "paths", paths, "at least one");
            Findings findings = new Findings();
            List<SourceFile> files = PolicyFiles.read(paths, findings);
            return load(files, findings);
        }

        public Policies parse(String name, String text) throws PolicyErrors {
            return parse(List.of(new PolicySource(name, text)));
        }

        /** The same of several texts, which are one set. */
        public Policies parse(List<PolicySource> texts) throws PolicyErrors {
            List<SourceFile> files = texts.stream()
                    .map(each -> SourceFile.of(each.name(), each.text()))
                    .toList();
            return load(files, new Findings());
        }

        Policies load(List<SourceFile> files, Findings findings) throws PolicyErrors {
            PolicyVersion version = new PolicyVersion(number, PolicyFiles.hash(files));
            Selector.Contents contents =
                    PolicySetReader.read(files, new PolicySetReader.Circumstances(secrets, clock, version), findings);
            findings.throwIfAny();
            Instant now = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
            List<PolicySource> sources = files.stream()
                    .map(file -> new PolicySource(file.name(), file.text()))
                    .toList();
            return new Policies(new Selector(Expect.present(contents, "contents")), sources, now);
        }
    }
}
