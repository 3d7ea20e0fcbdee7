package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LineFileTest {
    @TempDir
    private Path directory;

    private Path path;

    @BeforeEach
    void name() {
        path = directory.resolve("some").resolve("lines.jsonl");
    }

    private void append(LineFile file, String text) throws IOException {
        file.append(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void lines_areAppended_alsoToAnExistingFile() throws IOException {
        for (int i = 1; i <= 3; i++) {
            try (LineFile file = new LineFile(path, 1_000, 2)) {
                append(file, i + "a\n");
                append(file, i + "b\n" + i + "c\n");
            }
        }

        assertThat(LineFile.read(path, 2)).containsExactly("1a", "1b", "1c", "2a", "2b", "2c", "3a", "3b", "3c");
    }

    @Test
    void noFile_hasNoLines() throws IOException {
        assertThat(LineFile.read(path, 2)).isEmpty();
    }

    /** Simulates a kill, which leaves the beginning of a line. */
    @Test
    void tornLine_isIsolated() throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, "{\"n\":1}\n{\"n\":2");
        assertThat(LineFile.read(path, 0)).containsExactly("{\"n\":1}");

        try (LineFile file = new LineFile(path, 1_000, 0)) {
            append(file, "{\"n\":3}\n");
        }

        assertThat(LineFile.read(path, 0)).containsExactly("{\"n\":1}", "{\"n\":2", "{\"n\":3}");
    }

    @Test
    void fullFile_isRotated_andTheOldestIsDropped() throws IOException {
        try (LineFile file = new LineFile(path, 12, 2)) {
            for (int i = 1; i <= 9; i++) {
                append(file, "line" + i + "\n");
            }
        }

        assertThat(Files.size(path)).isLessThanOrEqualTo(12);
        assertThat(LineFile.read(path, 2)).containsExactly("line5", "line6", "line7", "line8", "line9");
        assertThat(directory.resolve("some")).isDirectoryContaining("glob:**/lines.jsonl.2");
        assertThat(directory.resolve("some")).isDirectoryNotContaining("glob:**/lines.jsonl.3");
    }

    @Test
    void lineLongerThanTheMaximumFileSize_isWrittenAnyway() throws IOException {
        try (LineFile file = new LineFile(path, 4, 1)) {
            append(file, "longer than four\n");
            append(file, "and so\n");
        }

        assertThat(LineFile.read(path, 1)).containsExactly("longer than four", "and so");
    }

    @Test
    void unwritablePath_throws_andIsTriedAgain() throws IOException {
        Path blocked = Files.writeString(directory.resolve("file"), "not a directory");
        try (LineFile file = new LineFile(blocked.resolve("lines"), 100, 0)) {
            assertThatThrownBy(() -> append(file, "a\n")).isInstanceOf(IOException.class);
            Files.delete(blocked);
            append(file, "b\n");
        }

        assertThat(LineFile.read(blocked.resolve("lines"), 0)).containsExactly("b");
    }

    @Test
    void lineTornInACharacter_leavesAllOthersReadable() throws IOException {
        Files.createDirectories(path.getParent());
        Files.write(path, new byte[] {'a', '\n', 'b', (byte) 0xc3});
        assertThat(LineFile.read(path, 0)).containsExactly("a");

        try (LineFile file = new LineFile(path, 1_000, 0)) {
            append(file, "\u00e9\n");
        }

        assertThat(LineFile.read(path, 0)).containsExactly("a", "b\ufffd", "\u00e9");
    }

    /** A full disk cuts off a line and refuses the next one. Later there is room again. */
    @Test
    @Timeout(120)
    void lineCutByAFullDisk_isIsolated_evenIfOthersFailedMeanwhile() throws Exception {
        for (String program : List.of("bash", "prlimit")) {
            assumeTrue(Files.isExecutable(Path.of("/usr/bin", program)), program + " is not installed");
        }
        Process process = new ProcessBuilder(
                        "/usr/bin/bash",
                        "-c",
                        "ulimit -S -f 1 && exec \"$@\"",
                        "bash",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullDiskChild.class.getName(),
                        path.toString())
                .redirectErrorStream(true)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(told).isEqualTo("refused\nrefused\nroom again\n");
        assertThat(process.waitFor()).isZero();
        assertThat(LineFile.read(path, 0)).hasSize(3).startsWith("first").endsWith("last");
    }

    @Test
    void movedOrDeletedFile_isCreatedAgain() throws IOException {
        Path moved = directory.resolve("moved");
        try (LineFile file = new LineFile(path, 1_000, 0)) {
            append(file, "a\n");
            Files.move(path, moved);
            append(file, "b\n");
            assertThat(LineFile.read(path, 0)).containsExactly("b");

            Files.delete(path);
            Files.delete(path.getParent());
            append(file, "c\n");
            assertThat(LineFile.read(path, 0)).containsExactly("c");

            Files.delete(path);
            Files.writeString(path, "of another\n");
            append(file, "d\n");
        }

        assertThat(LineFile.read(path, 0)).containsExactly("of another", "d");
        assertThat(LineFile.read(moved, 0)).containsExactly("a");
    }

    @Test
    void twoWriters_canShareOneFile() throws IOException {
        try (LineFile one = new LineFile(path, 12, 9);
                LineFile other = new LineFile(path, 12, 9)) {
            for (int i = 1; i <= 5; i++) {
                append(one, "one" + i + "\n");
                append(other, "two" + i + "\n");
            }
            Files.writeString(path, "torn by a third", StandardOpenOption.APPEND);
            append(one, "end\n");
        }

        assertThat(LineFile.read(path, 9))
                .filteredOn(line -> !line.endsWith("torn by a third"))
                .containsExactly("one1", "two1", "one2", "two2", "one3", "two3", "one4", "two4", "one5", "two5", "end");
    }

    @Test
    @Timeout(120)
    void concurrentWriters_loseNothing() throws Exception {
        int each = 300;
        List<String> names = List.of("one", "two", "three", "four");
        ExecutorService writers = Executors.newFixedThreadPool(names.size());
        try {
            List<Future<?>> ended = new ArrayList<>();
            for (String name : names) {
                ended.add(writers.submit(() -> {
                    try (LineFile file = new LineFile(path, 100, 1_000)) {
                        for (int i = 0; i < each; i++) {
                            append(file, name + i + "\n");
                        }
                    }
                    return name;
                }));
            }
            for (Future<?> one : ended) {
                one.get();
            }
        } finally {
            writers.shutdownNow();
        }

        assertThat(LineFile.read(path, 1_000))
                .hasSize(names.size() * each)
                .doesNotHaveDuplicates()
                .allMatch(line -> line.matches("[a-z]+\\d+"));
    }
}
