/**
 * YAML files as trees that know where everything stands, and a way of reading them that collects every error.
 *
 * <p>Start at {@link dev.penstock.policy.internal.yaml.YamlReader} and {@link dev.penstock.policy.internal.yaml.Field}. The
 * trees are immutable; reading is for one thread.
 */
@NullMarked
package dev.penstock.policy.internal.yaml;

import org.jspecify.annotations.NullMarked;
