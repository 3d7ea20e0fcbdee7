package dev.penstock.internal.guard;

import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import org.jspecify.annotations.Nullable;

/**
 * A settlement or renewal of a permit. Immutable.
 *
 * @param actual the cost to settle at, as in {@link Engine#settle}
 */
public record PermitOperation(
        String permitId, Verb verb, @Nullable Costs actual) {
    /** The kind of operation. */
    public enum Verb {
        SETTLE,
        RENEW
    }

    public static PermitOperation settle(String permitId, @Nullable Costs actual) {
        return new PermitOperation(permitId, Verb.SETTLE, actual);
    }

    public static PermitOperation renew(String permitId) {
        return new PermitOperation(permitId, Verb.RENEW, null);
    }

    public Reply<Settlement> putTo(Engine engine) {
        return verb == Verb.SETTLE ? engine.settle(permitId, actual) : engine.renew(permitId);
    }
}
