/**
 * Policies as YAML files: read, checked, matched, explained, and reloaded at runtime.
 *
 * <p>{@link dev.penstock.policy.Policies} is the entry point. {@code docs/policies.md} introduces
 * the language, and {@code docs/reference/policy-language.md} describes all of it.
 */
@NullMarked
package dev.penstock.policy;

import org.jspecify.annotations.NullMarked;
