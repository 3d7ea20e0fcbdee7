/**
 * {@code penstock soak}: a bounded load on two services with one Redis for a chosen time, with reloads and faults, to
 * check that their use of resources stays flat. {@link dev.penstock.bench.soak.Soak} is the entry point.
 */
@NullMarked
package dev.penstock.bench.soak;

import org.jspecify.annotations.NullMarked;
