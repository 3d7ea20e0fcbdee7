package dev.penstock.server.internal.settings;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A setting, such as {@code admin.port}. In a file it is {@code port} below {@code admin}, the flag is {@code
 * --admin-port}, and the environment variable is {@code PENSTOCK_ADMIN_PORT}.
 *
 * @param name the name in lower case, with dots between the words of a file
 * @param byDefault the default, or null for none
 * @param ways the sources in which it may be given
 * @param meaning one line of text
 */
public record Setting<T>(
        String name, SettingFormat<T> form, @Nullable T byDefault, Sources ways, String meaning) {
    /** The prefix of all environment variables. */
    public static final String PREFIX = "PENSTOCK_";

    /** The sources in which a setting may be given. */
    public enum Sources {
        ALL,
        /** Any source. The value may contain a password, so its line in a file is never shown. */
        ALL_UNSEEN,
        /**
         * Only the environment. The setting is a secret: every process of the machine can read flags, and files are
         * shown to others.
         */
        VARIABLE
    }

    /** Returns the flag, as in {@code --admin-port}. */
    public String flag() {
        return "--" + name.replace('.', '-').replace('_', '-');
    }

    /** Returns the environment variable, as in {@code PENSTOCK_ADMIN_PORT}. */
    public String variable() {
        return PREFIX + name.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    public boolean isSecret() {
        return ways == Sources.VARIABLE;
    }

    /** Returns the value for display. */
    public String show(@Nullable T value) {
        return value == null ? "none" : form.show().apply(value);
    }

    /** Returns the default for display. */
    public String shownDefault() {
        return show(byDefault);
    }

    /** Returns the sources of the setting, for an error about a missing value. */
    String waysText() {
        return isSecret() ? variable() : flag() + ", " + variable();
    }
}
