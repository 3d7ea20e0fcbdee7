package dev.penstock.spi;

import dev.penstock.Request;
import java.util.Set;

/**
 * Selects the charges of a request: those of every policy that matches it.
 *
 * <p>Implementations are thread-safe and fast, and change nothing.
 */
@FunctionalInterface
public interface PolicySet {
    /** Returns an ask with the charges of the request. The ask has no charges if no policy matches. */
    Ask match(Request request);

    /**
     * Returns the units that the limits of all policies count, or an empty set if they are not known in advance. A unit
     * that is not among them is refused when a permit is reserved or settled.
     */
    default Set<String> units() {
        return Set.of();
    }
}
