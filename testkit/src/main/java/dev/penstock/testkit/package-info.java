/**
 * The correctness kit: what shows that an {@link dev.penstock.spi.Engine} counts right.
 *
 * <p>{@link dev.penstock.testkit.EngineContract} is the list of examples that every engine passes;
 * {@link dev.penstock.testkit.TraceRunner} drives an engine and the {@link dev.penstock.testkit.ReferenceEngine} through
 * random traces in lock step; {@link dev.penstock.testkit.ManualClock} is the time of both;
 * {@link dev.penstock.testkit.InterceptingEngine} is the base of engines that stand between. Only the clock is thread-safe.
 */
@NullMarked
package dev.penstock.testkit;

import org.jspecify.annotations.NullMarked;
