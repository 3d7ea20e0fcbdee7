package dev.penstock.server.internal.settings;

import dev.penstock.internal.Expect;
import dev.penstock.policy.text.Unexpected;
import dev.penstock.server.AdminToken;
import dev.penstock.server.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of tokens, one per line. */
record TokenFile(Path path, List<Line> lines) {
    private static final int LARGEST = 1 << 20;

    /** The content of a line. */
    enum Lines {
        TOKEN,
        /** A token, optionally after the name of its owner: {@code alice TOKEN}. */
        NAME_AND_TOKEN
    }

    /**
     * A token.
     *
     * @param name the name; null if the line has none
     * @param number the number of the line, from 1
     */
    record Line(@Nullable String name, int number, Secret secret) {}

    List<Secret> tokens() {
        return lines.stream().map(Line::secret).toList();
    }

    /** Refuses tokens given both directly and in a file, because it would not be clear which ones count. */
    static void checkOneOf(
            Setting<?> setting, @Nullable List<Secret> tokens, Setting<TokenFile> other, @Nullable TokenFile file) {
        if (tokens != null && file != null) {
            throw Expect.refused(setting.name(), "given together with " + other.name(), "one of the two");
        }
    }

    static TokenFile read(Path path, Lines kind) throws Unexpected {
        checkReadable(path);
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new Unexpected("a file of at most " + LARGEST + " bytes");
            }
            List<Line> read = new ArrayList<>();
            List<String> lines =
                    new String(bytes, StandardCharsets.UTF_8).lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (!lines.get(i).isEmpty()) {
                    read.add(line(lines.get(i), i + 1, kind));
                }
            }
            if (read.isEmpty()) {
                throw new Unexpected("a file with at least one token");
            }
            return new TokenFile(path, List.copyOf(read));
        } catch (IOException e) {
            throw new Unexpected("a file that can be read");
        }
    }

    private static Line line(String line, int number, Lines kind) throws Unexpected {
        int space = kind == Lines.TOKEN ? -1 : line.indexOf(' ');
        String name = space < 0 ? null : line.substring(0, space);
        try {
            if (name != null && !AdminToken.isName(name)) {
                throw Unexpected.unseen(AdminToken.NAME_EXPECTED);
            }
            return new Line(name, number, SettingFormats.secret(line.substring(space + 1)));
        } catch (Unexpected e) {
            throw new Unexpected("in line " + number + " " + e.expected());
        }
    }

    /** Refuses anything but a readable regular file. Reading something else may never end. */
    static void checkReadable(Path path) throws Unexpected {
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            throw new Unexpected("a file that can be read");
        }
    }
}
