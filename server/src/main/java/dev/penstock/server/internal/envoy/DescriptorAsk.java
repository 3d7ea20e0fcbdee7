package dev.penstock.server.internal.envoy;

import dev.penstock.Request;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A request's descriptors with what they meet, and all their charges in one row. Immutable. */
final class DescriptorAsk {
    private final String domain;
    private final List<EnvoyDescriptor> descriptors;
    private final List<DescriptorMatch> met;
    private final List<Charge> charges;

    /** Of each charge the descriptor that it is for. */
    private final int[] owners;

    private final boolean hasQuotas;

    DescriptorAsk(String domain, List<EnvoyDescriptor> descriptors, List<DescriptorMatch> met) {
        this.domain = domain;
        this.descriptors = descriptors;
        this.met = met;
        List<Charge> all = new ArrayList<>(met.size());
        int[] whose = new int[met.size()];
        boolean quotas = false;
        for (int i = 0; i < met.size(); i++) {
            quotas |= met.get(i).isQuota();
            if (met.get(i) instanceof DescriptorMatch.Counted counted) {
                for (Charge charge : counted.charges()) {
                    whose = all.size() < whose.length ? whose : Arrays.copyOf(whose, 2 * whose.length);
                    whose[all.size()] = i;
                    all.add(charge);
                }
            }
        }
        expectAFewOf(all);
        this.charges = all;
        this.owners = whose;
        this.hasQuotas = quotas;
    }

    /** A limit that blocks is looked at twice. */
    private static void expectAFewOf(List<Charge> charges) {
        int blocks = 0;
        for (Charge charge : charges) {
            blocks += charge.settings().block() == null ? 0 : 1;
        }
        int all = charges.size() + blocks;
        if (all > Ask.MOST_CHARGES) {
            String found = all + (blocks == 0 ? " limits" : " limits and blocks");
            throw RefusedRequest.of("descriptors", found, "at most " + Ask.MOST_CHARGES + " of all descriptors");
        }
    }

    /** All descriptors as one request, for those who watch; of a word that several have, the first. */
    Request request() {
        Request all = descriptors.get(0).request(domain, 0);
        for (int i = 1; i < descriptors.size(); i++) {
            for (EnvoyDescriptor.Entry entry : descriptors.get(i).entries()) {
                all = all.attribute(entry.key()) == null ? all.with(entry.key(), entry.value()) : all;
            }
        }
        return all;
    }

    /** How many descriptors there are. */
    int size() {
        return met.size();
    }

    DescriptorMatch met(int descriptor) {
        return met.get(descriptor);
    }

    boolean isCounted() {
        return !charges.isEmpty();
    }

    /** All charges, to be made together or not at all. */
    Ask ask() {
        return undelayed(charges.size() == 1 ? Ask.of(charges.get(0)) : Ask.of(charges));
    }

    /** All charges, each to be made where it fits, whatever becomes of the others. */
    Ask askEach() {
        return undelayed(Ask.of(charges.stream().map(DescriptorAsk::observed).toList()));
    }

    /** Envoy does not wait: what a leaky bucket would delay is over its limit. Others decide faster where that is not said. */
    private Ask undelayed(Ask ask) {
        for (Charge charge : charges) {
            if (charge.limit().algorithm() instanceof LeakyBucket) {
                return ask.maxDelay(Duration.ZERO);
            }
        }
        return ask;
    }

    private static Charge observed(Charge charge) {
        return at(charge, charge.cost());
    }

    /** The charge at another cost, made where it fits. */
    static Charge at(Charge charge, long cost) {
        return charge.on(charge.settings().enforcement(Enforcement.SHADOW)).at(cost);
    }

    /**
     * The descriptor that a charge is for which was looked at; -1 where it is none of these. A fallback looks at shares, which
     * are other limits, and a block is kept beside its limit: both bear their names.
     *
     * @param place where in the row it is expected, others after it first
     */
    int ownerOf(Charge looked, int place) {
        for (int i = 0; i < charges.size(); i++) {
            int at = (place + i) % charges.size();
            if (isSame(charges.get(at), looked)) {
                return owners[at];
            }
        }
        return -1;
    }

    /** Whether they are of one policy, limit and key. */
    static boolean isSame(Charge one, Charge other) {
        return one.settings().policy().equals(other.settings().policy())
                && one.limit().id().equals(other.limit().id())
                && one.key().equals(other.key());
    }

    /** Which descriptors are over their limits whatever was counted. */
    boolean[] overAnyway() {
        boolean[] over = new boolean[met.size()];
        for (int i = 0; i < over.length; i++) {
            over[i] = met.get(i) instanceof DescriptorMatch.Ruled ruled && ruled.isOver();
        }
        return over;
    }

    /** Whether the request is over where these descriptors are: any of them, shadows aside; but of quotas all groups. */
    boolean isOver(boolean[] over) {
        for (int i = 0; i < over.length; i++) {
            if (over[i] && !met.get(i).isShadow() && !met.get(i).isQuota()) {
                return true;
            }
        }
        return hasQuotas && !quotaGroups(over).containsValue(false);
    }

    /** Whether quotas deny only together, so that what some of them allowed may have to be given back. */
    boolean hasSeveralQuotaGroups() {
        return hasQuotas && quotaGroups(new boolean[met.size()]).size() > 1;
    }

    /** Each group, and whether one of its descriptors is over. */
    private Map<String, Boolean> quotaGroups(boolean[] over) {
        Map<String, Boolean> groups = new HashMap<>();
        for (int i = 0; i < over.length; i++) {
            if (met.get(i).isQuota()) {
                groups.merge(descriptors.get(i).quotaGroup(), over[i], Boolean::logicalOr);
            }
        }
        return groups;
    }
}
