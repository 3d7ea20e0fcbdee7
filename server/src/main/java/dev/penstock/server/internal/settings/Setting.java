package dev.penstock.server.internal.settings;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be chosen: {@code admin.port}, which is {@code port} below {@code admin} in a file, the flag
 * {@code --admin-port} and the variable {@code PENSTOCK_ADMIN_PORT}.
 *
 * @param name in lower case, with dots between the words of a file
 * @param byDefault null where there is none
 * @param ways where it may be given
 * @param meaning one line
 */
public record Setting<T>(
        String name, SettingFormat<T> form, @Nullable T byDefault, Ways ways, String meaning) {
    /** What the names of all variables begin with. */
    public static final String PREFIX = "PENSTOCK_";

    /** Where a setting may be given. */
    public enum Ways {
        ALL,
        /** Anywhere, but it may hold a password, so that its line in a file is never shown. */
        ALL_UNSEEN,
        /** A secret: flags are seen by every process of the machine, and files are shown to others. */
        VARIABLE
    }

    /** As in {@code --admin-port}. */
    public String flag() {
        return "--" + name.replace('.', '-').replace('_', '-');
    }

    /** As in {@code PENSTOCK_ADMIN_PORT}. */
    public String variable() {
        return PREFIX + name.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    public boolean isSecret() {
        return ways == Ways.VARIABLE;
    }

    /** The value as it may be seen. */
    public String show(@Nullable T value) {
        return value == null ? "none" : form.show().apply(value);
    }

    /** Its default, as it may be seen. */
    public String shownDefault() {
        return show(byDefault);
    }

    /** How it may be given, for an error that finds nothing. */
    String waysText() {
        return isSecret() ? variable() : flag() + ", " + variable();
    }
}
