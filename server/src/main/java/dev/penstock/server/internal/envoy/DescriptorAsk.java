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

/** The descriptors of a request with their matches, and all their charges in one list. Immutable. */
final class DescriptorAsk {
    private final String domain;
    private final List<EnvoyDescriptor> descriptors;
    private final List<DescriptorMatch> met;
    private final List<Charge> charges;

    /** For each charge, the index of its descriptor. */
    private final int[] owners;

    private final long hitsAddend;
    private final boolean hasQuotas;

    DescriptorAsk(String domain, List<EnvoyDescriptor> descriptors, long hitsAddend, List<DescriptorMatch> met) {
        this.domain = domain;
        this.hitsAddend = hitsAddend;
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

    /** Refuses too many charges. A limit with a block rule counts twice. */
    private static void expectAFewOf(List<Charge> charges) {
        int blocks = 0;
        for (Charge charge : charges) {
            blocks += charge.settings().block() == null ? 0 : 1;
        }
        int all = charges.size() + blocks;
        if (all > Ask.MOST_CHARGES) {
            String found = all + (blocks == 0 ? " limits" : " limits and blocks");
            throw RefusedRequest.of("descriptors", found, "at most " + Ask.MOST_CHARGES + " in all descriptors");
        }
    }

    /** Returns all descriptors as one request, for listeners. If several have the same key, the first value is used. */
    Request request() {
        Request all = descriptors.get(0).request(domain, 0);
        for (int i = 1; i < descriptors.size(); i++) {
            for (EnvoyDescriptor.Entry entry : descriptors.get(i).entries()) {
                all = all.attribute(entry.key()) == null ? all.with(entry.key(), entry.value()) : all;
            }
        }
        return all;
    }

    /** Returns one descriptor as a separate request. */
    Request request(int descriptor) {
        return descriptors.get(descriptor).request(domain, hitsAddend);
    }

    /** Returns the number of descriptors. */
    int size() {
        return met.size();
    }

    DescriptorMatch met(int descriptor) {
        return met.get(descriptor);
    }

    boolean isCounted() {
        return !charges.isEmpty();
    }

    /** Returns an ask for all charges, which are made together or not at all. */
    Ask ask() {
        return undelayed(charges.size() == 1 ? Ask.of(charges.get(0)) : Ask.of(charges));
    }

    /** Returns an ask that makes each charge that fits, regardless of the others. */
    Ask askEach() {
        return undelayed(Ask.of(charges.stream().map(DescriptorAsk::inShadow).toList()));
    }

    /**
     * Forbids delays if there is a leaky bucket, because Envoy does not wait: a request that would be delayed is over
     * its limit. Other limits are decided faster without this restriction.
     */
    private Ask undelayed(Ask ask) {
        for (Charge charge : charges) {
            if (charge.limit().algorithm() instanceof LeakyBucket) {
                return ask.maxDelay(Duration.ZERO);
            }
        }
        return ask;
    }

    private static Charge inShadow(Charge charge) {
        return at(charge, charge.cost());
    }

    /** Returns the charge at another cost, made only if it fits. */
    static Charge at(Charge charge, long cost) {
        return charge.on(charge.settings().enforcement(Enforcement.SHADOW)).at(cost);
    }

    /**
     * Returns the index of the descriptor that a reported charge belongs to, or -1 if there is none. Charges are
     * compared by name, because a fallback reports shares, which are other limits, and a block is stored beside its
     * limit. Both have the names of their limit.
     *
     * @param place the index at which the charge is expected; the search starts there
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

    /** Returns true if both charges have the same policy, limit and key. */
    static boolean isSame(Charge one, Charge other) {
        return one.settings().policy().equals(other.settings().policy())
                && one.limit().id().equals(other.limit().id())
                && one.key().equals(other.key());
    }

    /** Returns which descriptors are over their limit before anything is counted. */
    boolean[] overAnyway() {
        boolean[] over = new boolean[met.size()];
        for (int i = 0; i < over.length; i++) {
            over[i] = met.get(i) instanceof DescriptorMatch.Static ruled && ruled.isOver();
        }
        return over;
    }

    /**
     * Returns true if the request is over its limits, given the descriptors that are. One descriptor suffices unless it
     * is in shadow mode. Quotas count only if all their groups are over.
     */
    boolean isOver(boolean[] over) {
        for (int i = 0; i < over.length; i++) {
            if (over[i] && !met.get(i).isShadow() && !met.get(i).isQuota()) {
                return true;
            }
        }
        return hasQuotas && !quotaGroups(over).containsValue(false);
    }

    /**
     * Returns true if there are several groups of quotas. They deny only together, so the charges of groups that allowed
     * the request may have to be returned.
     */
    boolean hasSeveralQuotaGroups() {
        return hasQuotas && quotaGroups(new boolean[met.size()]).size() > 1;
    }

    /** Maps each group of quotas to true if one of its descriptors is over. */
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
