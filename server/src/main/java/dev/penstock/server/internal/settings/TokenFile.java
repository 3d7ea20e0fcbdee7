package dev.penstock.server.internal.settings;

import dev.penstock.policy.internal.text.Unexpected;
import dev.penstock.server.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file of tokens, one a line. */
record TokenFile(Path path, List<Secret> tokens) {
    private static final int LARGEST = 1 << 20;

    static TokenFile read(Path path) throws Unexpected {
        checkReadable(path);
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new Unexpected("a file of at most " + LARGEST + " bytes");
            }
            List<Secret> tokens = new ArrayList<>();
            List<String> lines =
                    new String(bytes, StandardCharsets.UTF_8).lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (!lines.get(i).isEmpty()) {
                    tokens.add(token(lines.get(i), i + 1));
                }
            }
            if (tokens.isEmpty()) {
                throw new Unexpected("a file with at least one token in it");
            }
            return new TokenFile(path, List.copyOf(tokens));
        } catch (IOException e) {
            throw new Unexpected("a file that can be read");
        }
    }

    private static Secret token(String line, int number) throws Unexpected {
        try {
            return Forms.secret(line);
        } catch (Unexpected e) {
            throw new Unexpected("in line " + number + " " + e.expected());
        }
    }

    /** What is no file may never end. */
    static void checkReadable(Path path) throws Unexpected {
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            throw new Unexpected("a file that can be read");
        }
    }
}
