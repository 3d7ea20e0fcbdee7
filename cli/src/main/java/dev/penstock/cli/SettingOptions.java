package dev.penstock.cli;

import dev.penstock.server.SettingDescription;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The settings of the service as command-line options. */
final class SettingOptions {
    private static final List<String> PATHS = List.of("FILE", "PATH");

    private SettingOptions() {}

    /** Adds an option for each setting that may be a flag. */
    static void addTo(CommandSpec spec) {
        for (SettingDescription setting : SettingDescription.all()) {
            if (!setting.isSecret()) {
                spec.addOption(option(setting));
            }
        }
    }

    private static OptionSpec option(SettingDescription setting) {
        String label = setting.label();
        String shown = setting.shownDefault();
        String meaning =
                setting.meaning().replace("`", "") + (shown.equals("none") ? "." : "; default: " + shown + ".");
        Class<?> type = PATHS.contains(label) ? Path.class : String.class; // shells complete paths
        OptionSpec.Builder option = OptionSpec.builder(setting.flag())
                .paramLabel(label)
                .arity("1")
                .description(Character.toUpperCase(meaning.charAt(0)) + meaning.substring(1));
        return (setting.isList() ? option.type(List.class).auxiliaryTypes(type) : option.type(type)).build();
    }

    /** Returns the given options by the names of their settings. */
    static Map<String, List<String>> given(ParseResult parsed) {
        Map<String, List<String>> given = new HashMap<>();
        for (SettingDescription setting : SettingDescription.all()) {
            OptionSpec option = parsed.matchedOption(setting.flag());
            if (option != null) {
                given.put(setting.name(), option.originalStringValues());
            }
        }
        return given;
    }
}
