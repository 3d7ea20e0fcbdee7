/**
 * JSON that the admin API and the commands write alike: policy errors, explanations and the results of a policy check.
 *
 * <p>Stateless and so thread-safe.
 */
@NullMarked
package dev.penstock.server.json;

import org.jspecify.annotations.NullMarked;
