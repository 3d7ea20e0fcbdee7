/**
 * All settings with their formats, and the code that reads them from flags, a file and the environment.
 *
 * <p>Start at {@link dev.penstock.server.internal.settings.SettingTable}. The settings are immutable; reading is for
 * one thread.
 */
@NullMarked
package dev.penstock.server.internal.settings;

import org.jspecify.annotations.NullMarked;
