/** How policies come from files. Nothing here is for use outside of this module. */
@NullMarked
package dev.penstock.policy.internal;

import org.jspecify.annotations.NullMarked;
