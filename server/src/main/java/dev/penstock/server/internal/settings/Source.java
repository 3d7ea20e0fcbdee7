package dev.penstock.server.internal.settings;

import org.jspecify.annotations.Nullable;

/** A source of settings. */
interface Source {
    /** Returns the value of a setting, or null if the source has none or an error was recorded. */
    @Nullable
    SourcedValue written(Setting<?> setting);
}
