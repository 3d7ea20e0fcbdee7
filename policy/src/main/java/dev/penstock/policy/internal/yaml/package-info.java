/**
 * Parses YAML files into trees that record the position of every value, and reads them while collecting every error.
 *
 * <p>Start at {@link dev.penstock.policy.internal.yaml.YamlReader} and {@link dev.penstock.policy.internal.yaml.Field}.
 * The trees are immutable; reading is not thread-safe.
 */
@NullMarked
package dev.penstock.policy.internal.yaml;

import org.jspecify.annotations.NullMarked;
