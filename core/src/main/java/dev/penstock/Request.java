package dev.penstock;

import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
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
@CheckReturnValue
public final class Request {
    private static final Request EMPTY = new Request(null, null, null, Costs.NONE, null, null, null);

    // The attribute given last; those given earlier are the request before it. No name comes twice.
    private final @Nullable String name;
    private final @Nullable String value;
    private final @Nullable Request before;

    private final Costs costs;
    private final @Nullable IdempotencyKey id;
    private final @Nullable Duration timeout;
    private final @Nullable Duration maxDelay;

    private Request(
            @Nullable String name,
            @Nullable String value,
            @Nullable Request before,
            Costs costs,
            @Nullable IdempotencyKey id,
            @Nullable Duration timeout,
            @Nullable Duration maxDelay) {
        this.name = name;
        this.value = value;
        this.before = before;
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
        return new Request(name, value, null, Costs.NONE, null, null, null);
    }

    public static Request of(Map<String, String> attributes) {
        Request request = EMPTY;
        for (Map.Entry<String, String> entry :
                Expect.present(attributes, "attributes").entrySet()) {
            request = request.with(entry.getKey(), entry.getValue());
        }
        return request;
    }

    /** This request with one more attribute, or another value for one that it has. */
    public Request with(String attribute, String itsValue) {
        Expect.text(attribute, "attribute name");
        Expect.present(itsValue, attribute);
        return attribute(attribute) == null
                ? new Request(attribute, itsValue, this, costs, id, timeout, maxDelay)
                : replacing(attribute, itsValue);
    }

    /** With another value in the same place: the earlier one is not kept. */
    private Request replacing(String attribute, String itsValue) {
        Map<String, String> all = attributes();
        all.put(attribute, itsValue);
        Request request = EMPTY;
        for (Map.Entry<String, String> entry : all.entrySet()) {
            request = new Request(entry.getKey(), entry.getValue(), request, costs, id, timeout, maxDelay);
        }
        return request;
    }

    /** This request at a stated cost in one unit. */
    public Request cost(String unit, long amount) {
        return costs(costs.and(unit, amount));
    }

    public Request costs(Costs all) {
        return new Request(name, value, before, Expect.present(all, "costs"), id, timeout, maxDelay);
    }

    /**
     * Names this request, so that asking again under the same id does not charge twice; see {@link Ask#id}. An id is the
     * caller's own (of a retry, say), never something that its clients can choose.
     */
    public Request id(String requestId) {
        return id(IdempotencyKey.of(requestId));
    }

    /** Sets an idempotency key that may have a fingerprint; see {@link Ask#id(IdempotencyKey)}. */
    public Request id(IdempotencyKey requestId) {
        return new Request(name, value, before, costs, Expect.present(requestId, "id"), timeout, maxDelay);
    }

    /** How long the caller waits for a decision at most; without it the engine's own deadline holds. */
    public Request timeout(Duration atMost) {
        Expect.micros(atMost, Ask.LONGEST_WAIT, "timeout");
        return new Request(name, value, before, costs, id, atMost, maxDelay);
    }

    /** The longest delay acceptable from a leaky bucket; zero accepts none. Without it any queued place is taken. */
    public Request maxDelay(Duration atMost) {
        Expect.present(atMost, "maxDelay");
        Expect.that(!atMost.isNegative(), "maxDelay", atMost, ">= 0");
        return new Request(name, value, before, costs, id, timeout, atMost);
    }

    @SuppressWarnings("ReferenceEquality")
    public @Nullable String attribute(String wanted) {
        // Mostly there is one attribute, and its name the same constant: then the JIT leaves out all the rest.
        if (name == wanted) {
            return value;
        }
        for (Request at = this; at != null; at = at.before) {
            if (at.name != null && at.name.equals(wanted)) {
                return at.value;
            }
        }
        return null;
    }

    /** All attributes, in the order in which they were first given. */
    public Map<String, String> attributes() {
        Deque<Request> earliestFirst = new ArrayDeque<>();
        for (Request at = this; at != null; at = at.before) {
            earliestFirst.push(at);
        }
        Map<String, String> map = new LinkedHashMap<>();
        for (Request at : earliestFirst) {
            if (at.name != null && at.value != null) {
                map.put(at.name, at.value);
            }
        }
        return map;
    }

    public List<String> attributeNames() {
        return List.copyOf(attributes().keySet());
    }

    public Costs costs() {
        return costs;
    }

    public @Nullable String id() {
        return id == null ? null : id.text();
    }

    /** The id with its fingerprint; null if the request has no id. */
    public @Nullable IdempotencyKey idempotencyKey() {
        return id;
    }

    public @Nullable Duration timeout() {
        return timeout;
    }

    public @Nullable Duration maxDelay() {
        return maxDelay;
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
