/**
 * JSON that both the admin API and the commands write: policy errors, explanations and the results of a policy check.
 *
 * <p>Stateless, and therefore thread-safe.
 */
@NullMarked
package dev.penstock.server.json;

import org.jspecify.annotations.NullMarked;
