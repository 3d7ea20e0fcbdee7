package dev.penstock.redis;

import dev.penstock.internal.KeyEncoding;
import dev.penstock.spi.Charge;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How keys in Redis are named, for operators to read: {@code p1:{api/1h/user:alice}bucket}.
 *
 * <p>What is in braces decides the Cluster slot: the account's own name, or the colocation value that charges share.
 * The prefix carries the version of the format. Immutable.
 */
final class KeyNames {
    private final String prefix;

    KeyNames(String prefix) {
        this.prefix = prefix;
    }

    /** The keys of a charge's account: state, holds, entries. */
    void addAccount(Charge charge, List<String> keys) {
        String state = state(charge);
        Collections.addAll(keys, state, state + ":holds", state + ":entries");
    }

    /** The key of a charge's state, from which the others are named. */
    String state(Charge charge) {
        String name = readable(charge.key().counter()) + ":"
                + KeyEncoding.readable(charge.key().bytes());
        String shape = readable(charge.limit().rule().shape());
        String together = charge.colocation();
        return together == null
                ? prefix + ":{" + name + "}" + shape
                : prefix + ":{" + (together.isEmpty() ? "~" : readable(together)) + "}" + name + ":" + shape;
    }

    /** A pattern of SCAN that all accounts' keys match, and some others. */
    String accounts() {
        return prefix.replaceAll("[\\\\*?\\[\\]^]", "\\\\$0") + ":{*";
    }

    /** The counters as they stand in keys. */
    static Set<String> written(Set<String> counters) {
        return counters.stream().map(KeyNames::readable).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The counter of the account that a key belongs to, as it stands there; null for other keys. What is written there has no
     * colons of its own.
     */
    @Nullable
    String counter(String key) {
        int open = prefix.length() + 2;
        int close = key.indexOf('}');
        if (!key.startsWith(prefix + ":{") || close < open) {
            return null;
        }
        int within = key.indexOf(':', open);
        if (within < close && within > 0) {
            return key.substring(open, within);
        }
        String[] parts = key.substring(close + 1).split(":", -1); // counter, values, shape; a permit's has but two
        return parts.length < 3 ? null : parts[0];
    }

    /** The key of a permit's record, in the slot that its id tells. */
    String permit(PermitId permitId) {
        return prefix + ":{" + Slots.tag(permitId.slot()) + "}permit:" + readable(permitId.text());
    }

    /** A key in that slot that nothing is ever written to. */
    String nothing(int slot) {
        return prefix + ":{" + Slots.tag(slot) + "}";
    }

    /** The key of what was answered to a request with an id, in that slot. */
    String request(String requestId, int slot) {
        return prefix + ":{" + Slots.tag(slot) + "}request:" + readable(requestId);
    }

    /** The key of whose an id is, in a slot of the id's own. */
    String claim(String requestId) {
        return prefix + ":{" + readable(requestId) + "}claims";
    }

    /** The key of the nodes that are there. */
    String nodes() {
        return prefix + ":{fleet}nodes";
    }

    /** The key of what each of them tells of itself; in one slot with them. */
    String announcements() {
        return prefix + ":{fleet}introductions";
    }

    /** The key of what the last reset left there; in one slot with the nodes. */
    String resets() {
        return prefix + ":{fleet}resets";
    }

    /** The key of what the nodes write for one another, of a kind. */
    String notes(String kind) {
        return prefix + ":{fleet}board:" + readable(kind);
    }

    /** The key of the mark that the first node sets that finds Redis again. */
    String returned() {
        return prefix + ":{fleet}returned";
    }

    /** The key of that mark for the shard that has the slot. */
    String returned(int slot) {
        return prefix + ":{" + Slots.tag(slot) + "}returned";
    }

    /** The key of the numbers that a rule id stands for in the states of a counter. */
    String numbers(String counter, int ruleId) {
        return prefix + ":numbers:" + readable(counter) + ":" + ruleId;
    }

    /** The key of the numbers that a rule id stands for in the counter of the state with that key. */
    String numbersOf(String state, int ruleId) {
        return prefix + ":numbers:" + counter(state) + ":" + ruleId;
    }

    private static String readable(String text) {
        return KeyEncoding.readable(KeyEncoding.encode(text));
    }
}
