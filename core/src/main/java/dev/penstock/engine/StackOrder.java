package dev.penstock.engine;

import dev.penstock.internal.Expect;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import java.util.List;

/** The order in which engines wrap one another. Every other order is rejected. */
final class StackOrder {
    /** From the outermost engine to the innermost. */
    private static final List<Class<? extends Engine>> ORDER =
            List.of(LocalFirst.class, Guard.class, DenyCache.class, Leasing.class, NewKeyBudget.class);

    private StackOrder() {}

    /**
     * Returns the inner engine if this wrapper may go around it.
     *
     * @throws IllegalArgumentException if an engine inside belongs outside the wrapper, or if it is the same kind of
     *     wrapper
     */
    static Engine inside(Class<? extends Engine> wrapper, Engine inner) {
        int place = ORDER.indexOf(wrapper);
        for (Engine each = Expect.present(inner, "engine"); ; each = ((ForwardingEngine) each).inner()) {
            int other = ORDER.indexOf(each.getClass());
            Expect.that(
                    other < 0 || other > place,
                    "engine inside " + wrapper.getSimpleName(),
                    each.getClass().getSimpleName(),
                    "the order LocalFirst(Guard(DenyCache(Leasing(NewKeyBudget(store)))))");
            if (!(each instanceof ForwardingEngine)) {
                return inner;
            }
        }
    }
}
