package dev.penstock.server.internal.settings;

import org.jspecify.annotations.Nullable;

/** One of the places that settings come from. */
interface Source {
    /** What it says about a setting; null where it says nothing, or where an error was noted. */
    @Nullable
    SourcedValue written(Setting<?> setting);
}
