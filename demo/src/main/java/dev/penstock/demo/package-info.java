/**
 * {@code penstock demo}: the service with a simulated little world around it, for newcomers.
 * {@link dev.penstock.demo.DemoMain} is the entry, {@link dev.penstock.demo.Demo} puts it together, {@link dev.penstock.demo.Incident}
 * and {@link dev.penstock.demo.SimulatedClients} say what there is to be seen.
 */
@NullMarked
package dev.penstock.demo;

import org.jspecify.annotations.NullMarked;
