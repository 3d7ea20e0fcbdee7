package dev.penstock.redis;

import dev.penstock.internal.KeyEncoding;
import dev.penstock.spi.Charge;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names of keys in Redis, in a form that operators can read: {@code p1:{api/1h/user:alice}bucket}.
 *
 * <p>The part in braces decides the Cluster slot: the account's own name, or the colocation value that charges share.
 * The prefix contains the version of the format. Thread-safe.
 */
final class KeyNames {
    private static final int MOST_CONSTANTS = 10_000;

    private final String prefix;

    /** Readable forms of the names of counters and of the shapes of rules, which are parts of nearly every key. */
    private final Map<String, String> constants = new ConcurrentHashMap<>();

    KeyNames(String prefix) {
        this.prefix = prefix;
    }

    /** Adds the keys of a charge's account: state, holds, entries. */
    void addAccount(Charge charge, List<String> keys) {
        String state = state(charge);
        Collections.addAll(keys, state, state + ":holds", state + ":entries");
    }

    /** Returns the key of a charge's state. The names of the account's other keys begin with it. */
    String state(Charge charge) {
        String name = constant(charge.key().counter()) + ":"
                + KeyEncoding.readable(charge.key().bytes());
        String shape = constant(charge.limit().rule().shape());
        String together = charge.colocation();
        return together == null
                ? prefix + ":{" + name + "}" + shape
                : prefix + ":{" + (together.isEmpty() ? "~" : readable(together)) + "}" + name + ":" + shape;
    }

    /** Returns a pattern for SCAN that matches the keys of all accounts, and some others. */
    String accounts() {
        return prefix.replaceAll("[\\\\*?\\[\\]^]", "\\\\$0") + ":{*";
    }

    /** Returns the counters as they are written in keys. */
    static Set<String> written(Set<String> counters) {
        return counters.stream().map(KeyNames::readable).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns the counter of the account that a key belongs to, as it is written in the key; null for other keys. Names
     * in keys contain no colons.
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
        // counter, values and shape; the key of a permit has only two parts
        String[] parts = key.substring(close + 1).split(":", -1);
        return parts.length < 3 ? null : parts[0];
    }

    /** Returns the key of a permit's record, in the slot that is part of its id. */
    String permit(PermitId permitId) {
        return prefix + ":{" + Slots.tag(permitId.slot()) + "}permit:" + readable(permitId.text());
    }

    /** Returns a key in this slot that is never written. */
    String nothing(int slot) {
        return prefix + ":{" + Slots.tag(slot) + "}";
    }

    /** Returns the key of the answer to a request with an id, in this slot. */
    String request(String requestId, int slot) {
        return prefix + ":{" + Slots.tag(slot) + "}request:" + readable(requestId);
    }

    /** Returns the key of the owner of an id, in the slot of the id itself. */
    String claim(String requestId) {
        return prefix + ":{" + readable(requestId) + "}claims";
    }

    /** Returns the key of the set of nodes. */
    String nodes() {
        return prefix + ":{fleet}nodes";
    }

    /** Returns the key of the reports that nodes make about themselves, in the same slot as the set of nodes. */
    String announcements() {
        return prefix + ":{fleet}introductions";
    }

    /** Returns the key of the list of recent resets, in the same slot as the set of nodes. */
    String resets() {
        return prefix + ":{fleet}resets";
    }

    /** Returns the key of the notes of one kind that nodes share. */
    String notes(String kind) {
        return prefix + ":{fleet}board:" + readable(kind);
    }

    /** Returns the key of the mark that is set by the first node that reaches Redis again. */
    String returned() {
        return prefix + ":{fleet}returned";
    }

    /** Returns the key of that mark for the shard that has the slot. */
    String returned(int slot) {
        return prefix + ":{" + Slots.tag(slot) + "}returned";
    }

    /** Returns the key of the numbers that a rule id represents in the states of a counter. */
    String numbers(String counter, int ruleId) {
        return prefix + ":numbers:" + readable(counter) + ":" + ruleId;
    }

    /** Returns the key of the numbers that a rule id represents in the counter of this state key. */
    String numbersOf(String state, int ruleId) {
        return prefix + ":numbers:" + counter(state) + ":" + ruleId;
    }

    /** Returns the readable form of a text from a policy. */
    private String constant(String text) {
        String known = constants.get(text);
        if (known == null) {
            known = readable(text);
            if (constants.size() < MOST_CONSTANTS) {
                constants.put(text, known);
            }
        }
        return known;
    }

    private static String readable(String text) {
        return KeyEncoding.readable(KeyEncoding.encode(text));
    }
}
