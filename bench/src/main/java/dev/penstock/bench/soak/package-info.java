/**
 * {@code penstock soak}: a bounded load on two services over one Redis for as long as is wanted, with reloads and faults,
 * to see whether what they use stays flat. {@link dev.penstock.bench.soak.Soak} is the entry.
 */
@NullMarked
package dev.penstock.bench.soak;

import org.jspecify.annotations.NullMarked;
