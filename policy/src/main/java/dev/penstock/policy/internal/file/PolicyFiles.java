package dev.penstock.policy.internal.file;

import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.policy.internal.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of a set of policies. A path is a file, or a directory with {@code *.yaml} and {@code *.yml} files.
 */
public final class PolicyFiles {
    private static final int HASH_BYTES = 8;

    private PolicyFiles() {}

    /**
     * Reads files in the order of the paths, and those of a directory by name. Unreadable files are added to the
     * findings.
     */
    public static List<SourceFile> read(List<Path> paths, Findings findings) {
        List<SourceFile> files = new ArrayList<>();
        for (Path path : paths) {
            for (Path file : filesOf(path, findings)) {
                findings.begin(file.toString());
                SourceFile source = readFile(file, findings);
                if (source != null) {
                    files.add(source);
                }
            }
        }
        return files;
    }

    /** Returns the files that a path stands for. */
    public static List<Path> filesOf(Path path, Findings findings) {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (Stream<Path> entries = Files.list(path)) {
            List<Path> files =
                    entries.filter(PolicyFiles::isPolicyFile).sorted().toList();
            if (files.isEmpty()) {
                findings.add(path.toString(), "no file in it (expected: at least one *.yaml or *.yml)");
            }
            return files;
        } catch (IOException e) {
            findings.add(path.toString(), "the directory cannot be read: " + e.getMessage());
            return List.of();
        }
    }

    /**
     * Returns true for policy files. Excludes hidden ones: Kubernetes stores mounted files in directories that begin
     * with {@code ..}.
     */
    private static boolean isPolicyFile(Path path) {
        String name = String.valueOf(path.getFileName());
        return (name.endsWith(".yaml") || name.endsWith(".yml")) && !name.startsWith(".") && Files.isRegularFile(path);
    }

    private static @Nullable SourceFile readFile(Path path, Findings findings) {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(YamlReader.LARGEST_FILE + 1);
            if (bytes.length > YamlReader.LARGEST_FILE) {
                findings.add(
                        path.toString(), "too large (expected: at most " + (YamlReader.LARGEST_FILE >> 20) + " MiB)");
                return null;
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return SourceFile.of(path.toString(), text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            findings.add(path.toString(), "not UTF-8 text");
        } catch (NoSuchFileException e) {
            findings.add(path.toString(), "no such file");
        } catch (IOException e) {
            findings.add(path.toString(), "cannot be read: " + e.getMessage());
        }
        return null;
    }

    /** Returns the same hash for the same contents on every node, regardless of the files' paths. */
    public static String hash(List<SourceFile> files) {
        MessageDigest digest = sha256();
        files.stream().map(SourceFile::text).sorted().forEach(text -> {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            digest.update(ByteBuffer.allocate(Long.BYTES).putLong(bytes.length).array());
            digest.update(bytes);
        });
        return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
