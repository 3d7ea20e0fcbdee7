package dev.penstock.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The bounds of the memory engine fit the heap of the process. */
class SmallHeapTest {
    @Test
    void inventedUsersPermitsAndIds_doNotExhaustTheHeap() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx40m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        InventedKeysChild.class.getName())
                .redirectErrorStream(true)
                .start();

        String printed = new String(child.getInputStream().readAllBytes(), US_ASCII);

        assertThat(printed.trim()).as("allowed requests").isEqualTo("150000");
        assertThat(child.waitFor()).isZero();
    }
}
