/** Opens policy files for {@link dev.penstock.Penstock}. Not for use outside this module. */
@NullMarked
package dev.penstock.policy.internal;

import org.jspecify.annotations.NullMarked;
