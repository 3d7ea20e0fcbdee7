package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.server.internal.settings.SettingTable;
import dev.penstock.server.internal.settings.SettingsReading;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings from flags, a configuration file and the environment, in this order: the first source that has a
 * setting wins. Values in all sources must be valid. Not thread-safe.
 */
public final class SettingsReader {
    private final Map<String, String> environment;
    private Map<String, List<String>> flags = Map.of();
    private @Nullable Path config;
    private List<Path> examples = List.of();

    private SettingsReader(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Returns a reader with these environment variables. {@code PENSTOCK_CONFIG} names the configuration file. */
    public static SettingsReader of(Map<String, String> environment) {
        return new SettingsReader(Map.copyOf(environment));
    }

    /** Sets the values of flags, each under the name of its setting: {@code admin.port}. */
    public SettingsReader flags(Map<String, List<String>> given) {
        for (String name : given.keySet()) {
            boolean known = SettingTable.settings().stream()
                    .anyMatch(setting -> setting.name().equals(name));
            Expect.that(known, "flags", name, "the name of a setting");
        }
        flags = Map.copyOf(given);
        return this;
    }

    /** Sets the configuration file, instead of the one that the environment names. */
    public SettingsReader config(Path file) {
        config = Expect.present(file, "config");
        return this;
    }

    /**
     * Sets the policies to use if no source names any. By default there are none, and a missing setting is an error.
     */
    public SettingsReader examples(List<Path> policies) {
        examples = List.copyOf(policies);
        return this;
    }

    /**
     * Reads the settings.
     *
     * @throws SettingErrors with all errors from all sources
     */
    public SettingsInForce read() throws SettingErrors {
        return SettingsReading.read(flags, config, environment, examples);
    }
}
