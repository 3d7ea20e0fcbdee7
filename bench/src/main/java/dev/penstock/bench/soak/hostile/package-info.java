/**
 * {@code penstock soak --hostile}: all attacks that the service defends against, at the same time as honest traffic
 * that must not be affected. {@link dev.penstock.bench.soak.hostile.HostileSoak} is the entry point. Each
 * {@link dev.penstock.bench.soak.hostile.Attack} runs on its own thread.
 */
@NullMarked
package dev.penstock.bench.soak.hostile;

import org.jspecify.annotations.NullMarked;
