package dev.penstock;

import dev.penstock.internal.Expect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for: attributes (tenant, user, ip, route, ...) and costs per unit.
 *
 * <p>Immutable; every {@code with} method answers a new request. Attribute values may be secrets (API keys, addresses),
 * so {@link #toString} shows names only.
 */
public final class Request {
    private static final String[] NO_ATTRIBUTES = {};
    private static final Request EMPTY = new Request(NO_ATTRIBUTES, Costs.NONE, null, null, null);

    /** Name, value, name, value, ... */
    private final String[] attributes;

    private final Costs costs;
    private final @Nullable String id;
    private final @Nullable Duration timeout;
    private final @Nullable Duration maxDelay;

    private Request(
            String[] attributes,
            Costs costs,
            @Nullable String id,
            @Nullable Duration timeout,
            @Nullable Duration maxDelay) {
        this.attributes = attributes;
        this.costs = costs;
        this.id = id;
        this.timeout = timeout;
        this.maxDelay = maxDelay;
    }

    /** A request with no attribute, for limits that count everyone together. */
    public static Request empty() {
        return EMPTY;
    }

    public static Request of(String name, String value) {
        Expect.text(name, "attribute name");
        Expect.present(value, name);
        return new Request(new String[] {name, value}, Costs.NONE, null, null, null);
    }

    public static Request of(Map<String, String> attributes) {
        String[] pairs = new String[2 * Expect.present(attributes, "attributes").size()];
        int at = 0;
        for (Map.Entry<String, String> entry : attributes.entrySet()) {
            pairs[at] = Expect.text(entry.getKey(), "attribute name");
            pairs[at + 1] = Expect.present(entry.getValue(), entry.getKey());
            at += 2;
        }
        return new Request(pairs, Costs.NONE, null, null, null);
    }

    /** This request with one more attribute, or another value for one that it has. */
    public Request with(String name, String value) {
        Expect.text(name, "attribute name");
        Expect.present(value, name);
        int at = indexOf(name);
        boolean known = at >= 0;
        String[] more = Arrays.copyOf(attributes, known ? attributes.length : attributes.length + 2);
        int where = known ? at : attributes.length;
        more[where] = name;
        more[where + 1] = value;
        return new Request(more, costs, id, timeout, maxDelay);
    }

    /** This request at a stated cost in one unit. */
    public Request cost(String unit, long amount) {
        return costs(costs.and(unit, amount));
    }

    public Request costs(Costs all) {
        return new Request(attributes, Expect.present(all, "costs"), id, timeout, maxDelay);
    }

    /**
     * Names this request, so that asking again under the same id does not charge twice; see {@link Ask#id}. An id is the
     * caller's own (of a retry, say), never something that its clients can choose.
     */
    public Request id(String requestId) {
        return new Request(attributes, costs, Expect.text(requestId, "id"), timeout, maxDelay);
    }

    /** How long the caller waits for a decision at most; without it the engine's own deadline holds. */
    public Request timeout(Duration atMost) {
        Expect.micros(atMost, Ask.LONGEST_WAIT, "timeout");
        return new Request(attributes, costs, id, atMost, maxDelay);
    }

    /** The longest delay acceptable from a leaky bucket; zero accepts none. Without it any queued place is taken. */
    public Request maxDelay(Duration atMost) {
        Expect.present(atMost, "maxDelay");
        Expect.that(!atMost.isNegative(), "maxDelay", atMost, ">= 0");
        return new Request(attributes, costs, id, timeout, atMost);
    }

    public @Nullable String attribute(String name) {
        int at = indexOf(name);
        return at < 0 ? null : attributes[at + 1];
    }

    public Map<String, String> attributes() {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < attributes.length; i += 2) {
            map.put(attributes[i], attributes[i + 1]);
        }
        return map;
    }

    public List<String> attributeNames() {
        List<String> names = new ArrayList<>(attributes.length / 2);
        for (int i = 0; i < attributes.length; i += 2) {
            names.add(attributes[i]);
        }
        return names;
    }

    public Costs costs() {
        return costs;
    }

    public @Nullable String id() {
        return id;
    }

    public @Nullable Duration timeout() {
        return timeout;
    }

    public @Nullable Duration maxDelay() {
        return maxDelay;
    }

    private int indexOf(String name) {
        for (int i = 0; i < attributes.length; i += 2) {
            if (attributes[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Request that
                && attributes().equals(that.attributes())
                && costs.equals(that.costs)
                && Objects.equals(id, that.id)
                && Objects.equals(timeout, that.timeout)
                && Objects.equals(maxDelay, that.maxDelay);
    }

    @Override
    public int hashCode() {
        return attributes().hashCode() * 31 + costs.hashCode();
    }

    @Override
    public String toString() {
        return "Request" + attributeNames() + costs;
    }
}
