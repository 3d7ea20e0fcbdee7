package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.server.internal.settings.SettingTable;
import dev.penstock.server.internal.settings.SettingsReading;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings from flags, then a configuration file, then the environment: the first that gives one is taken, and all
 * have to be right. Not thread-safe.
 */
public final class SettingsReader {
    private final Map<String, String> environment;
    private Map<String, List<String>> flags = Map.of();
    private @Nullable Path config;
    private List<Path> examples = List.of();

    private SettingsReader(Map<String, String> environment) {
        this.environment = environment;
    }

    /** A reader with these variables, of which {@code PENSTOCK_CONFIG} names the file. */
    public static SettingsReader of(Map<String, String> environment) {
        return new SettingsReader(Map.copyOf(environment));
    }

    /** The values of flags, each under the name of its setting: {@code admin.port}. */
    public SettingsReader flags(Map<String, List<String>> given) {
        for (String name : given.keySet()) {
            boolean known = SettingTable.settings().stream()
                    .anyMatch(setting -> setting.name().equals(name));
            Expect.that(known, "flags", name, "the name of a setting");
        }
        flags = Map.copyOf(given);
        return this;
    }

    /** The configuration file, in the place of the one that the environment names. */
    public SettingsReader config(Path file) {
        config = Expect.present(file, "config");
        return this;
    }

    /** Policies for when nothing gives any; none by default, and then that is an error. */
    public SettingsReader examples(List<Path> policies) {
        examples = List.copyOf(policies);
        return this;
    }

    /**
     * The settings in force.
     *
     * @throws SettingErrors with everything that is wrong in any source
     */
    public SettingsInForce read() throws SettingErrors {
        return SettingsReading.read(flags, config, environment, examples);
    }
}
