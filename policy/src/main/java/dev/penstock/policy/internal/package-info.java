/** Opens policy files for {@link dev.penstock.Penstock}. Nothing here is for use outside of this module. */
@NullMarked
package dev.penstock.policy.internal;

import org.jspecify.annotations.NullMarked;
