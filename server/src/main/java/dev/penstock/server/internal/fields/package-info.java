/**
 * The HTTP header fields that report a decision to a client, and the problem document of a denial.
 *
 * <p>{@link dev.penstock.server.internal.fields.DecisionFields} writes the fields, {@link
 * dev.penstock.server.internal.fields.Problem} the document. Limits that clients may not see appear in neither.
 * Everything here is immutable or stateless, and therefore thread-safe.
 */
@NullMarked
package dev.penstock.server.internal.fields;

import org.jspecify.annotations.NullMarked;
