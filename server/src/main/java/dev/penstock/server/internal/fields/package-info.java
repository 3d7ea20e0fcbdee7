/**
 * What a decision says to a client in HTTP: header fields, and the document of a denial.
 *
 * <p>{@link dev.penstock.server.internal.fields.DecisionFields} makes the fields, {@link
 * dev.penstock.server.internal.fields.Problem} the document. Limits that clients may not learn of appear in neither.
 * Everything here is immutable or without state, and so thread-safe.
 */
@NullMarked
package dev.penstock.server.internal.fields;

import org.jspecify.annotations.NullMarked;
