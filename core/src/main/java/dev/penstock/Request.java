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
 * A request to be decided: attributes (tenant, user, ip, route, ...) and costs per unit.
 *
 * <p>Immutable. Every method that changes something returns a new request. Attribute values may be
 * secrets (API keys, addresses), so {@link #toString} leaves them out.
 */
@CheckReturnValue
public final class Request {
    private static final Request EMPTY = new Request(null, null, null, Costs.NONE, null, null, null);

    // The attribute that was set last. Earlier attributes are in {@code before}. No name appears twice.
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

    /** Returns a request without attributes, for limits that count everybody together. */
    public static Request empty() {
        return EMPTY;
    }

    /** Returns a request with one attribute. */
    public static Request of(String name, String value) {
        Expect.text(name, "attribute name");
        Expect.present(value, name);
        return new Request(name, value, null, Costs.NONE, null, null, null);
    }

    /** Returns a request with these attributes. */
    public static Request of(Map<String, String> attributes) {
        Request request = EMPTY;
        for (Map.Entry<String, String> entry :
                Expect.present(attributes, "attributes").entrySet()) {
            request = request.with(entry.getKey(), entry.getValue());
        }
        return request;
    }

    /** Returns this request with another attribute, or another value for an attribute that it has. */
    public Request with(String attribute, String itsValue) {
        Expect.text(attribute, "attribute name");
        Expect.present(itsValue, attribute);
        return attribute(attribute) == null
                ? new Request(attribute, itsValue, this, costs, id, timeout, maxDelay)
                : replacing(attribute, itsValue);
    }

    /** Replaces the value in place. The earlier value is not kept. */
    private Request replacing(String attribute, String itsValue) {
        Map<String, String> all = attributes();
        all.put(attribute, itsValue);
        Request request = EMPTY;
        for (Map.Entry<String, String> entry : all.entrySet()) {
            request = new Request(entry.getKey(), entry.getValue(), request, costs, id, timeout, maxDelay);
        }
        return request;
    }

    /** Returns this request with a cost in one unit. Costs in other units stay the same. */
    public Request cost(String unit, long amount) {
        return costs(costs.and(unit, amount));
    }

    /** Returns this request with these costs instead of all earlier ones. */
    public Request costs(Costs all) {
        return new Request(name, value, before, Expect.present(all, "costs"), id, timeout, maxDelay);
    }

    /**
     * Returns this request with an id. Sending it again under the same id does not charge twice. See {@link Ask#id}.
     *
     * <p>Choose the id in your own code, for example one per retried operation. Never use an id that clients can
     * choose.
     */
    public Request id(String requestId) {
        return id(IdempotencyKey.of(requestId));
    }

    /**
     * Returns this request with an idempotency key, which may have a fingerprint. See {@link Ask#id(IdempotencyKey)}.
     */
    public Request id(IdempotencyKey requestId) {
        return new Request(name, value, before, costs, Expect.present(requestId, "id"), timeout, maxDelay);
    }

    /**
     * Returns this request with a timeout, the longest time that the caller waits for a decision.
     * Without one, the engine's deadline applies, or one second if the engine has no deadline.
     */
    public Request timeout(Duration atMost) {
        Expect.micros(atMost, Ask.LONGEST_WAIT, "timeout");
        return new Request(name, value, before, costs, id, atMost, maxDelay);
    }

    /**
     * Returns this request with the longest delay that it accepts from a leaky bucket. Zero accepts no delay. Without
     * this, the request accepts any place in the queue.
     */
    public Request maxDelay(Duration atMost) {
        Expect.present(atMost, "maxDelay");
        Expect.that(!atMost.isNegative(), "maxDelay", atMost, ">= 0");
        return new Request(name, value, before, costs, id, timeout, atMost);
    }

    /** Returns the value of an attribute, or null if the request does not have it. */
    @SuppressWarnings("ReferenceEquality")
    public @Nullable String attribute(String wanted) {
        // Usually there is one attribute, and its name is the same constant. The JIT then removes everything else.
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

    /** Returns all attributes, in the order in which they were first set. */
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

    /** Returns the names of all attributes. */
    public List<String> attributeNames() {
        return List.copyOf(attributes().keySet());
    }

    /** Returns the costs that the request states. */
    public Costs costs() {
        return costs;
    }

    /** Returns the id, or null if the request has none. */
    public @Nullable String id() {
        return id == null ? null : id.text();
    }

    /** Returns the id with its fingerprint, or null if the request has no id. */
    public @Nullable IdempotencyKey idempotencyKey() {
        return id;
    }

    /** Returns the timeout, or null if the request has none. */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** Returns the longest accepted delay, or null if any is accepted. */
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
