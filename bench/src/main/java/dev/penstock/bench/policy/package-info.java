/**
 * The benchmark {@code policy}: the time to select a request's charges from few and from many policies.
 *
 * <p>Entry point: {@link dev.penstock.bench.policy.PolicyBench}. Mixes of policies are thread-safe; requests belong to
 * one thread.
 */
@NullMarked
package dev.penstock.bench.policy;

import org.jspecify.annotations.NullMarked;
