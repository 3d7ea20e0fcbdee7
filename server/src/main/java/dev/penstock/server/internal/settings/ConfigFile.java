package dev.penstock.server.internal.settings;

import dev.penstock.policy.internal.file.PolicyFiles;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.internal.yaml.YamlReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settings of a YAML file. Relative paths in it start at the file's directory. */
final class ConfigFile implements Source {
    private final Path base;
    private final Map<String, Field> fields = new HashMap<>();

    private ConfigFile(Path base) {
        this.base = base;
    }

    /** Reads the file's settings. Records unknown fields as errors. */
    static ConfigFile read(Path path, List<Setting<?>> settings, Problems problems) {
        Path parent = path.getParent();
        ConfigFile config = new ConfigFile(parent == null ? Path.of("") : parent);
        if (Files.isDirectory(path)) {
            problems.inFile().add(path.toString(), "a directory (expected: a file)");
            return config;
        }
        for (SourceFile file : PolicyFiles.read(List.of(path), problems.inFile())) {
            Field root = YamlReader.read(file, problems.inFile());
            if (root != null) {
                config.take(root, "", settings);
            }
        }
        return config;
    }

    /** @param way the path of the mapping, ending with a dot; empty for the file itself */
    private void take(Field mapping, String way, List<Setting<?>> settings) {
        Set<String> known = new LinkedHashSet<>();
        for (Setting<?> setting : settings) {
            if (setting.name().startsWith(way)) {
                known.add(setting.name().substring(way.length()).split("[.]", 2)[0]);
            }
        }
        Words words = mapping.words(
                        "a mapping of settings, such as " + known.iterator().next() + ": ...")
                .only(known);
        for (Words.Word word : words.all()) {
            String name = way + word.word();
            if (settings.stream().anyMatch(setting -> setting.name().equals(name))) {
                fields.put(name, word.value());
            } else if (known.contains(word.word())) {
                take(word.value(), name + ".", settings);
            }
        }
    }

    @Override
    public @Nullable SourcedValue written(Setting<?> setting) {
        Field field = fields.get(setting.name());
        if (field == null) {
            return null;
        }
        if (setting.ways() != Setting.Sources.ALL) {
            field.hide();
        }
        if (setting.isSecret()) {
            field.refuseUnseen(setting.name() + "_file or " + setting.variable() + "; no secrets in this file");
            return null;
        }
        List<SettingText> pieces = new ArrayList<>();
        String expected = setting.form().expected();
        boolean fine = true;
        if (setting.form().shape() == SettingFormat.Shape.MAP) {
            fine = field.isMapping();
            for (Words.Word word : field.words(expected).all()) {
                fine &= add(word.value(), word.word() + "=", expected, pieces);
            }
        } else {
            boolean many = setting.form().shape() == SettingFormat.Shape.LIST;
            for (Field item : many ? field.oneOrMore(expected) : List.of(field)) {
                fine &= add(item, "", expected, pieces);
            }
        }
        String place = field.file() + ":" + field.at().line() + ":" + field.at().column() + " " + field.path();
        return fine ? new SourcedValue(field.place(), place, pieces) : null;
    }

    private boolean add(Field field, String before, String expected, List<SettingText> pieces) {
        String text = field.text(expected);
        if (text == null) {
            return false;
        }
        return pieces.add(new SettingText(before + text, base, e -> {
            if (e.isSecret()) {
                field.refuseUnseen(e.expected());
            } else {
                field.refuse(e.expected());
            }
        }));
    }
}
