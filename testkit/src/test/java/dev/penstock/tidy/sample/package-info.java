/** Classes that break the rules of the architecture on purpose, to show that the rules see it. */
package dev.penstock.tidy.sample;
