package dev.penstock.policy.internal.select;

import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.policy.internal.match.KeyedHash;
import dev.penstock.policy.internal.match.Subject;
import dev.penstock.policy.internal.select.SelectedLimit.Line;
import dev.penstock.policy.internal.select.SelectedPolicy.Role;
import dev.penstock.policy.text.Nearest;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the charges of a policy's limits by its name and a key, for operators. Immutable. */
public final class Counters {
    private final Plans plans;

    /** By name, without candidates, which count separately. */
    private final Map<String, SelectedPolicy> policies = new LinkedHashMap<>();

    public Counters(Selector.Contents contents) {
        this.plans = contents.plans();
        contents.policies().stream()
                .filter(policy -> policy.role() != Role.CANDIDATE)
                .forEach(policy -> policies.put(policy.name(), policy));
        SelectedPolicy otherwise = contents.defaultPolicy();
        if (otherwise != null) {
            policies.put(otherwise.name(), otherwise);
        }
    }

    /**
     * Returns the charges of a policy's limits on one key, at no cost. A limit that takes its numbers from a plan uses
     * the plan of the tenant in the key. If the key has no tenant, there is one charge per plan.
     *
     * @param limit the id of one of the policy's limits; null for all limits whose keys have this number of parts
     * @param key the values of the key, where null stands for an absent value; for a value that the policy hashes,
     *     either the hash or the value itself; for a value that is too long to be shown, {@code sha256:...}
     * @throws IllegalArgumentException if the policy, the limit or the key does not exist
     */
    public List<Charge> charges(String policy, @Nullable String limit, List<@Nullable String> key) {
        SelectedPolicy found = policies.get(policy);
        if (found == null) {
            throw unknown("policy", policy, policies.keySet().stream().toList());
        }
        List<Charge> charges = new ArrayList<>();
        for (SelectedLimit each : found.limits()) {
            if (each.parts().size() == key.size()) {
                charges(each, limit, hashed(each, key), charges);
            }
        }
        if (charges.isEmpty()) {
            throw nothing(found, limit, key);
        }
        return charges;
    }

    /**
     * Returns the names that a policy's limits count under.
     *
     * @throws IllegalArgumentException if the policy does not exist
     */
    public Set<String> of(String policy) {
        SelectedPolicy found = policies.get(policy);
        if (found == null) {
            throw unknown("policy", policy, policies.keySet().stream().toList());
        }
        return counters(found);
    }

    /**
     * Returns the number of replicas that must confirm a charge, by policy. Policies that wait for none are left out.
     */
    public Map<String, Integer> replicas() {
        Map<String, Integer> most = new TreeMap<>();
        policies.forEach((name, policy) -> policy.limits().stream()
                .flatMap(limit -> limit.lines().stream())
                .filter(Objects::nonNull)
                .map(line -> line.settings().replicas())
                .filter(replicas -> replicas > 0)
                .forEach(replicas -> most.merge(name, replicas, Math::max)));
        return most;
    }

    /** Returns the other policies that count under one of this policy's counters. */
    public Set<String> sharing(String policy) {
        Set<String> own = of(policy);
        Set<String> others = new TreeSet<>();
        for (SelectedPolicy each : policies.values()) {
            if (!each.name().equals(policy) && counters(each).stream().anyMatch(own::contains)) {
                others.add(each.name());
            }
        }
        return others;
    }

    private static Set<String> counters(SelectedPolicy policy) {
        Set<String> counters = new TreeSet<>();
        for (SelectedLimit limit : policy.limits()) {
            for (Line line : limit.lines()) {
                if (line != null) {
                    counters.add(line.counter());
                }
            }
        }
        return counters;
    }

    /** Replaces each value that the policy hashes by its hash, so that no key contains a secret. */
    private static List<@Nullable String> hashed(SelectedLimit limit, List<@Nullable String> key) {
        List<@Nullable String> values = new ArrayList<>(key);
        for (int i = 0; i < values.size(); i++) {
            KeyPart part = limit.parts().get(i);
            String value = values.get(i);
            if (part.hash() != null && value != null && !KeyedHash.isHash(value)) {
                values.set(i, part.value(new Subject(Request.empty().with(part.attribute(), value))));
            }
        }
        return values;
    }

    private void charges(SelectedLimit limit, @Nullable String id, List<@Nullable String> key, List<Charge> into) {
        for (Line line : lines(limit, key)) {
            if (id == null || line.settings().limit().id().equals(id)) {
                Key asGiven = Key.of(line.counter(), key);
                Key shortened = Key.ofShortened(line.counter(), key);
                into.add(charge(limit, line, asGiven, key));
                if (!shortened.equals(asGiven)) { // an actual value may look like a shortened one: select both keys
                    into.add(charge(limit, line, shortened, key));
                }
            }
        }
    }

    private static Charge charge(SelectedLimit limit, Line line, Key key, List<@Nullable String> values) {
        Charge charge = Charge.of(line.settings(), key, 0);
        String together = together(limit, values);
        return together == null ? charge : charge.colocation(together);
    }

    private List<Line> lines(SelectedLimit limit, List<@Nullable String> key) {
        int at = partOf(limit, Plans.TENANT);
        String tenant = at < 0 || limit.parts().get(at).hash() != null ? null : key.get(at);
        if (limit.takesPlan() && tenant == null) {
            return limit.lines().stream().filter(Objects::nonNull).distinct().toList();
        }
        Request request = tenant == null ? Request.empty() : Request.empty().with(Plans.TENANT, tenant);
        Line line = limit.line(plans.of(new Subject(request)));
        return line == null ? List.of() : List.of(line);
    }

    /** Returns the value by which the accounts are colocated. It is always a part of their key. */
    private static @Nullable String together(SelectedLimit limit, List<@Nullable String> key) {
        KeyPart colocate = limit.colocate();
        int at = colocate == null ? -1 : partOf(limit, colocate.attribute());
        return at < 0 ? null : key.get(at);
    }

    private static int partOf(SelectedLimit limit, String attribute) {
        for (int i = 0; i < limit.parts().size(); i++) {
            if (limit.parts().get(i).attribute().equals(attribute)) {
                return i;
            }
        }
        return -1;
    }

    private static IllegalArgumentException nothing(
            SelectedPolicy policy, @Nullable String limit, List<@Nullable String> key) {
        TreeSet<String> ids = new TreeSet<>();
        TreeSet<String> keys = new TreeSet<>();
        for (SelectedLimit each : policy.limits()) {
            for (Line line : each.lines()) {
                String id = line == null ? null : line.settings().limit().id();
                if (id != null) {
                    ids.add(id);
                }
                if (id != null && (limit == null || id.equals(limit))) {
                    keys.add(
                            each.parts().stream().map(KeyPart::written).toList().toString());
                }
            }
        }
        return limit != null && !ids.contains(limit)
                ? unknown("limit", limit, List.copyOf(ids))
                : Expect.refused("key", key.size() + " values", "those of " + String.join(" or ", keys));
    }

    private static IllegalArgumentException unknown(String field, String value, List<String> known) {
        String nearest = Nearest.of(value, known);
        String expected = field.equals("policy") ? "a policy that is in use" : "one of " + String.join(", ", known);
        return Expect.refused(field, value, nearest == null ? expected : expected + "; did you mean " + nearest + "?");
    }
}
