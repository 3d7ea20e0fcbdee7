/**
 * Policies as YAML files: read, checked, matched, explained, and reloaded while running.
 *
 * <p>The language is told in {@code docs/policies.md}.
 */
@NullMarked
package dev.penstock.policy;

import org.jspecify.annotations.NullMarked;
