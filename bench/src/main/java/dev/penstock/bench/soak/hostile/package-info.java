/**
 * {@code penstock soak --hostile}: every attack that the service is bounded against, at the same time, beside honest traffic that must
 * not notice. {@link dev.penstock.bench.soak.hostile.HostileSoak} is the entry point. Each {@link
 * dev.penstock.bench.soak.hostile.Attack} runs on a thread of its own.
 */
@NullMarked
package dev.penstock.bench.soak.hostile;

import org.jspecify.annotations.NullMarked;
