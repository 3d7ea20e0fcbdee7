package dev.penstock.spi;

import dev.penstock.Request;

/**
 * Selects what a request is charged: the charges of every policy that matches it.
 *
 * <p>Implementations are thread-safe, fast, and change nothing.
 */
@FunctionalInterface
public interface PolicySet {
    /** The request's charges, as an ask that decides; without any where nothing matches. */
    Ask match(Request request);
}
