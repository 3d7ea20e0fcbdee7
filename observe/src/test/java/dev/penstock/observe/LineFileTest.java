package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
    void lines_areAdded_alsoToAFileThatIsThere() throws IOException {
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

    /** What a kill leaves: the beginning of a line. */
    @Test
    void tornLine_staysByItself() throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, "{\"n\":1}\n{\"n\":2");
        assertThat(LineFile.read(path, 0)).containsExactly("{\"n\":1}");

        try (LineFile file = new LineFile(path, 1_000, 0)) {
            append(file, "{\"n\":3}\n");
        }

        assertThat(LineFile.read(path, 0)).containsExactly("{\"n\":1}", "{\"n\":2", "{\"n\":3}");
    }

    @Test
    void fullFile_isPutAside_andTheOldestIsLost() throws IOException {
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
    void lineLongerThanAFileMayBe_isWrittenAllTheSame() throws IOException {
        try (LineFile file = new LineFile(path, 4, 1)) {
            append(file, "longer than four\n");
            append(file, "and so\n");
        }

        assertThat(LineFile.read(path, 1)).containsExactly("longer than four", "and so");
    }

    @Test
    void placeThatCannotBeWritten_isTold_andTriedAgain() throws IOException {
        Path blocked = Files.writeString(directory.resolve("file"), "not a directory");
        try (LineFile file = new LineFile(blocked.resolve("lines"), 100, 0)) {
            assertThatThrownBy(() -> append(file, "a\n")).isInstanceOf(IOException.class);
            Files.delete(blocked);
            append(file, "b\n");
        }

        assertThat(LineFile.read(blocked.resolve("lines"), 0)).containsExactly("b");
    }
}
