package dev.penstock.server.internal.settings;

import dev.penstock.policy.text.Unexpected;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file that contains one password, as containers mount secrets. Never shows the password. */
record PasswordFile(Path path, String password) {
    private static final int LARGEST = 4096;

    static PasswordFile read(Path path) throws Unexpected {
        TokenFile.checkReadable(path);
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            List<String> lines =
                    new String(bytes, StandardCharsets.UTF_8).lines().toList();
            if (bytes.length > LARGEST || lines.size() != 1 || lines.get(0).isEmpty()) {
                throw new Unexpected("a file of one line, the password, of at most " + LARGEST + " bytes");
            }
            return new PasswordFile(path, lines.get(0));
        } catch (IOException e) {
            throw new Unexpected("a file that can be read");
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
