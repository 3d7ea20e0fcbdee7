package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.ManualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DelayedCallTest {
    /** The thread that waits, those that run tasks, and a few of the JVM's own. */
    private static final int A_HANDFUL = 10;

    @Test
    void then_callsAfterThePause() {
        ManualClock clock = new ManualClock();
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<Integer> called = new DelayedCall(clock, Duration.ofMillis(2))
                .then(() -> CompletableFuture.completedFuture(calls.incrementAndGet()));
        assertThat(called).isNotDone();

        clock.advance(Duration.ofMillis(2));

        assertThat(called).isCompletedWithValue(1);
    }

    @Test
    void manyPausesThatEndTogether_onOneCore_takeFewThreads() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:ActiveProcessorCount=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DelayedCallChild.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

        assertThat(process.waitFor()).isZero();
        assertThat(Integer.parseInt(printed)).isBetween(1, A_HANDFUL);
    }
}
