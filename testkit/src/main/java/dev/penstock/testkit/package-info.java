/**
 * Tests whether an {@link dev.penstock.spi.Engine} counts correctly.
 *
 * <p>{@link dev.penstock.testkit.EngineContract} contains the tests that every engine must pass.
 * {@link dev.penstock.testkit.TraceRunner} runs an engine and the {@link dev.penstock.testkit.ReferenceEngine} through
 * traces in lock step. {@link dev.penstock.testkit.ManualClock} is their clock.
 * {@link dev.penstock.testkit.InterceptingEngine} is the base of engines that wrap others in tests. Only the clock is
 * thread-safe.
 */
@NullMarked
package dev.penstock.testkit;

import org.jspecify.annotations.NullMarked;
