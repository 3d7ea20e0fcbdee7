/**
 * {@code penstock demo}: the service with a simulation around it, for newcomers. {@link dev.penstock.demo.DemoMain} is
 * the entry point, {@link dev.penstock.demo.Demo} assembles the parts, {@link dev.penstock.demo.Incident} and
 * {@link dev.penstock.demo.SimulatedClients} define what happens.
 */
@NullMarked
package dev.penstock.demo;

import org.jspecify.annotations.NullMarked;
