package dev.penstock.policy.internal.select;

import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.policy.PolicyCounts;
import dev.penstock.policy.internal.match.MatchIndex;
import dev.penstock.policy.internal.match.Subject;
import dev.penstock.policy.internal.select.SelectedPolicy.Role;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.StaticDecision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Selects the charges of a request: lists first, then all matching policies, then the default. */
public final class Selector {
    /**
     * The contents of the files.
     *
     * @param otherwise the verdict if nothing matches and there is no default policy
     * @param secrets the attributes whose values are never shown
     */
    public record Contents(
            List<ListEntry> deny,
            List<ListEntry> allow,
            List<SelectedPolicy> policies,
            StaticDecision.Verdict otherwise,
            @Nullable SelectedPolicy defaultPolicy,
            Routes routes,
            Plans plans,
            Set<String> secrets,
            PolicyCounts counts,
            PolicyVersion version) {}

    private final Contents contents;
    private final @Nullable Lists lists;
    private final SelectedPolicy[] policies;
    private final MatchIndex index;
    private final Ask byDefault;
    private final Map<String, String> liveByCandidate;
    private final Set<String> units;

    public Selector(Contents contents) {
        this.contents = contents;
        this.lists = contents.deny().isEmpty() && contents.allow().isEmpty() ? null : new Lists(contents);
        this.policies = contents.policies().stream()
                .sorted(Comparator.comparing(SelectedPolicy::name))
                .toArray(SelectedPolicy[]::new);
        this.index = new MatchIndex(
                Arrays.stream(policies).map(SelectedPolicy::match).toList());
        Map<String, String> candidates = new LinkedHashMap<>();
        for (SelectedPolicy policy : contents.policies()) {
            String live = policy.candidateOf();
            if (live != null) {
                candidates.put(policy.name(), live);
            }
        }
        this.liveByCandidate = Collections.unmodifiableMap(candidates);
        this.units = units(contents);
        this.byDefault = Ask.of(new StaticDecision(contents.otherwise(), StaticDecision.DEFAULT, contents.version()));
    }

    private static Set<String> units(Contents contents) {
        Set<String> units = new TreeSet<>();
        contents.policies().forEach(policy -> policy.addUnits(units));
        SelectedPolicy otherwise = contents.defaultPolicy();
        if (otherwise != null) {
            otherwise.addUnits(units);
        }
        return Collections.unmodifiableSet(units);
    }

    public Contents contents() {
        return contents;
    }

    /** Returns the units that any limit counts. */
    public Set<String> units() {
        return units;
    }

    /** Returns the request's charges, or a static decision. */
    public Ask select(Request request) {
        Subject subject = new Subject(request);
        Ask listed = lists == null ? null : lists.staticDecision(subject);
        if (listed != null) {
            return listed;
        }
        Found found = find(subject);
        List<Charge> charges = new ArrayList<>(4);
        Plans.Plan plan = null;
        boolean enforced = false;
        for (int i = 0; i < found.count; i++) {
            SelectedPolicy policy = policies[found.numbers[i]];
            if (policy.role() == Role.CANDIDATE) {
                continue;
            }
            enforced |= policy.role() == Role.ENFORCE;
            if (plan == null && policy.takesPlan()) {
                plan = contents.plans().of(subject);
            }
            policy.addCharges(subject, contents.routes(), plan, charges);
        }
        if (!enforced) {
            SelectedPolicy otherwise = contents.defaultPolicy();
            if (otherwise == null && (charges.isEmpty() || contents.otherwise() == StaticDecision.Verdict.DENY)) {
                return byDefault;
            } else if (otherwise != null) {
                otherwise.addCharges(
                        subject, contents.routes(), contents.plans().of(subject), charges);
            }
        }
        int all = charges.size();
        for (Charge charge : charges) {
            all += charge.settings().block() == null ? 0 : 1;
        }
        if (all > Ask.MOST_CHARGES) {
            throw Expect.refused("limits and blocks that apply to the request", all, "at most " + Ask.MOST_CHARGES);
        }
        return charges.isEmpty() ? nothingApplies() : Ask.of(charges).forRequest(request);
    }

    /** Policies match, but none of their limits applies to the request. */
    private Ask nothingApplies() {
        return Ask.of(new StaticDecision(StaticDecision.Verdict.ALLOW, StaticDecision.NO_LIMIT, contents.version()));
    }

    public boolean hasCandidates() {
        return !liveByCandidate.isEmpty();
    }

    /** Returns the live policy of each candidate, by the candidate's name, in the order of the files. */
    public Map<String, String> liveByCandidate() {
        return liveByCandidate;
    }

    /** Returns what each candidate would charge. */
    public List<Candidate> candidates(Request request) {
        Subject subject = new Subject(request);
        List<Candidate> candidates = new ArrayList<>();
        if (lists != null && lists.staticDecision(subject) != null) {
            return candidates;
        }
        Found found = find(subject);
        for (int i = 0; i < found.count; i++) {
            SelectedPolicy policy = policies[found.numbers[i]];
            String live = policy.candidateOf();
            if (live != null) {
                List<Charge> charges = new ArrayList<>();
                policy.addCharges(subject, contents.routes(), contents.plans().of(subject), charges);
                candidates.add(new Candidate(policy.name(), live, asIfAsked(request, policy, charges)));
            }
        }
        return candidates;
    }

    /** Uses a separate id, because the live policy's answer is remembered under the request's id. */
    private static Ask asIfAsked(Request request, SelectedPolicy policy, List<Charge> charges) {
        Ask ask = Ask.of(charges).forRequest(request);
        String id = request.id();
        return id == null ? ask : ask.id(id + "/" + policy.name());
    }

    /** The charges of a candidate, which replace those of the live policy. */
    public record Candidate(String name, String live, Ask ask) {}

    private Found find(Subject subject) {
        Found found = new Found();
        index.find(subject, found);
        found.sort();
        return found;
    }

    /** The numbers of the matching policies, sorted by policy name, so that their order in a file does not matter. */
    private static final class Found implements IntConsumer {
        private int[] numbers = new int[8];
        private int count;

        @Override
        public void accept(int number) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, count * 2);
            }
            numbers[count++] = number;
        }

        void sort() {
            Arrays.sort(numbers, 0, count);
        }
    }

    /** The allow and deny lists. */
    private static final class Lists {
        private final Ask[] staticDecisions;
        private final MatchIndex index;

        Lists(Contents contents) {
            List<ListEntry> all = new ArrayList<>(contents.deny());
            all.addAll(contents.allow());
            this.index = new MatchIndex(all.stream().map(ListEntry::match).toList());
            this.staticDecisions = new Ask[all.size()];
            for (int i = 0; i < staticDecisions.length; i++) {
                boolean denies = i < contents.deny().size();
                StaticDecision.Verdict verdict = denies ? StaticDecision.Verdict.DENY : StaticDecision.Verdict.ALLOW;
                staticDecisions[i] =
                        Ask.of(new StaticDecision(verdict, all.get(i).name(), contents.version()));
            }
        }

        /** Returns the first match, with the deny list before the allow list. */
        @Nullable
        Ask staticDecision(Subject subject) {
            Found found = new Found();
            index.find(subject, found);
            found.sort();
            return found.count == 0 ? null : staticDecisions[found.numbers[0]];
        }
    }
}
