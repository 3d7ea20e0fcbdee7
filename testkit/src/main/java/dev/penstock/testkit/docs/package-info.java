/**
 * Runs the examples in Markdown pages. {@link dev.penstock.testkit.docs.JavaSnippet} finds and runs Java blocks. Not
 * thread-safe.
 */
@NullMarked
package dev.penstock.testkit.docs;

import org.jspecify.annotations.NullMarked;
