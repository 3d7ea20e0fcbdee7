package dev.penstock.internal.guard;

import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done to a permit. Immutable.
 *
 * @param actual the cost to settle at, as {@link Engine#settle} takes it
 */
public record PermitOperation(
        String permitId, Verb verb, @Nullable Costs actual) {
    /** What is done. */
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
