/** What people write in policies as a single text: counts, times, rates. Each is read by itself, and refused with what was expected. */
@NullMarked
package dev.penstock.policy.internal.text;

import org.jspecify.annotations.NullMarked;
