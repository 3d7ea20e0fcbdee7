package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.match.KeyedHash;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.text.Unexpected;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Finds the key of the hashes in the environment or a file. The policies themselves never contain it. */
public final class SecretSource {
    private static final byte[] STAND_IN = "replaces a key that is not known".getBytes(StandardCharsets.UTF_8);
    private static final int LARGEST = 4096;

    private final @Nullable UnaryOperator<@Nullable String> environment;

    private SecretSource(@Nullable UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    /** Reads environment variables through the given function, and files. */
    public static SecretSource of(UnaryOperator<@Nullable String> environment) {
        return new SecretSource(environment);
    }

    /** Reads nothing and uses a stand-in key, for checking files on a machine without the secrets. */
    public static SecretSource none() {
        return new SecretSource(null);
    }

    @Nullable
    KeyedHash read(Field field) {
        if (!field.isMapping()) {
            field.refuseUnseen("{ env: VARIABLE } or { file: PATH }; the key itself does not belong here");
            return null;
        }
        Words words = field.words("");
        if (words.get("env") == null && words.get("file") == null) {
            field.refuseUnseen("{ env: VARIABLE } or { file: PATH }; the key itself does not belong here");
            return null;
        }
        words.only("env", "file");
        if (words.all().size() != 1) {
            field.report(words.all().size() + " words (expected: either env or file)");
            return null;
        }
        Field env = words.get("env");
        Field file = words.get("file");
        byte[] key = env != null
                ? Texts.read(env, "the name of a variable", this::fromEnvironment)
                : Texts.read(file, "a path", this::fromFile);
        return key == null ? null : new KeyedHash(key);
    }

    private byte[] fromEnvironment(String name) throws Unexpected {
        if (name.isEmpty()) {
            throw new Unexpected("the name of a variable");
        }
        if (environment == null) {
            return STAND_IN;
        }
        String value = environment.apply(name);
        if (value == null) {
            throw new Unexpected("an environment variable that is set");
        }
        return checked(value.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] fromFile(String text) throws Unexpected {
        if (text.isEmpty()) {
            throw new Unexpected("a path");
        }
        if (environment == null) {
            return STAND_IN;
        }
        Path path = path(text);
        if (!Files.isRegularFile(path)) { // other kinds, such as a pipe, may never end
            throw new Unexpected("a file that can be read");
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new Unexpected("a file of at most " + LARGEST + " bytes");
            }
            int end = bytes.length;
            while (end > 0 && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r')) {
                end--;
            }
            return checked(Arrays.copyOf(bytes, end));
        } catch (IOException e) {
            throw new Unexpected("a file that can be read");
        }
    }

    private static Path path(String text) throws Unexpected {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new Unexpected("a path");
        }
    }

    private static byte[] checked(byte[] key) throws Unexpected {
        if (key.length < KeyedHash.SHORTEST_KEY) {
            throw new Unexpected("a key of at least " + KeyedHash.SHORTEST_KEY + " bytes in it");
        }
        return key;
    }
}
