package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.penstock.Clock;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.observe.LogChoices.Watched;
import dev.penstock.spi.PolicySet;
import dev.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DecisionLogTest {
    private static final long LARGE = 1 << 20;

    @TempDir
    private Path directory;

    private final ManualClock clock = new ManualClock();
    private Instant now = Instant.parse("2025-06-18T13:00:00Z");

    private static final PolicyLabels WORDS = new PolicyLabels() {
        @Override
        public List<String> keyParts(String counter) {
            return List.of("user");
        }

        @Override
        public String route(String policy, Request request) {
            return "/api/**";
        }

        @Override
        public String plan(Request request) {
            return "free";
        }
    };

    private static final PolicySet POLICIES = Policy.setOf(
            Policy.named("users").limit(Limit.tokenBucket(1, Duration.ofDays(1)), "user"),
            Policy.named("watching")
                    .limit(Limit.tokenBucket(2, Duration.ofDays(1)), "tenant")
                    .shadow());

    private Path file() {
        return directory.resolve("decisions.jsonl");
    }

    private LogChoices choices(int denials, int others) {
        return new LogChoices(denials, others, () -> now);
    }

    private DecisionLog log(LogChoices choices) {
        return new DecisionLog(choices, WORDS, "eu", new LineFile(file(), LARGE, 1), Clock.system());
    }

    private void ask(DecisionLog log, String user, String tenant, int times) {
        try (Limiter limiter =
                Limiter.builder(POLICIES).clock(clock).listener(log).build()) {
            for (int i = 0; i < times; i++) {
                limiter.decide(Request.of("user", user).with("tenant", tenant));
            }
        }
    }

    private List<String> lines() throws IOException {
        return LineFile.read(file(), 1);
    }

    @Test
    void denial_isWritten_withAllFields() throws IOException {
        DecisionLog log = log(choices(LogChoices.WHOLE, 0));
        ask(log, "a\"nn\n", "t", 2);
        log.close();

        assertThat(log.written()).isEqualTo(1);
        assertThat(lines())
                .singleElement()
                .asString()
                .contains("\"at\":\"2025-06-18T13:37:21.123457Z\"")
                .contains("\"outcome\":\"denied\",\"reason\":\"limit_exceeded\",\"policy\":\"users\"")
                .contains("\"route\":\"/api/**\",\"key_type\":[\"user\"],\"key\":[\"a\\\"nn\\n\"]")
                .contains("\"unit\":\"requests\",\"cost\":1,\"remaining\":0")
                .contains("\"decided_by\":\"store\",\"region\":\"eu\"");
    }

    @Test
    void allowedRequests_areWrittenAtTheirOwnShare() throws IOException {
        DecisionLog log = log(choices(0, LogChoices.WHOLE));
        ask(log, "ann", "t", 2);
        log.close();

        assertThat(lines()).singleElement().asString().contains("\"outcome\":\"allowed\"");
        assertThat(log.dropped()).isZero();
    }

    @Test
    void share_isApproximatelyMet() {
        LogChoices tenth = choices(0, LogChoices.WHOLE / 10);
        int[] taken = {0};
        try (Limiter limiter = Limiter.builder(POLICIES)
                .clock(clock)
                .listener((request, decision) -> taken[0] += tenth.takes(request, decision) ? 1 : 0)
                .build()) {
            for (int i = 0; i < 10_000; i++) {
                limiter.decide(Request.of("user", "user-" + i).with("tenant", "tenant-" + i));
            }
        }
        assertThat(taken[0]).as("ten standard errors of 30").isBetween(700, 1_300);
    }

    @Test
    void shadowDenial_isWrittenLikeADenial() throws IOException {
        DecisionLog log = log(choices(LogChoices.WHOLE, 0));
        try (Limiter limiter =
                Limiter.builder(POLICIES).clock(clock).listener(log).build()) {
            for (int i = 0; i < 3; i++) {
                limiter.decide(Request.of("user", "user-" + i).with("tenant", "t"));
            }
        }
        log.close();

        assertThat(lines())
                .singleElement()
                .asString()
                .contains("\"outcome\":\"allowed\"")
                .contains("\"shadow_denied_by\":[\"watching\"]");
    }

    @Test
    void watchedAttribute_isWrittenInFull_untilTheWatchEnds() throws IOException {
        LogChoices choices = choices(0, 0);
        DecisionLog log = log(choices);
        Watched ann = new Watched("user", "ann");
        choices.watch(ann, now.plus(Duration.ofMinutes(10)));
        ask(log, "ann", "t", 2);
        ask(log, "bob", "t", 2);
        assertThat(choices.watched()).containsOnlyKeys(ann);

        now = now.plus(Duration.ofMinutes(10));
        ask(log, "ann", "t", 2);
        log.close();

        assertThat(lines()).hasSize(2).allMatch(line -> line.contains("\"key\":[\"ann\"]"));
        assertThat(choices.watched()).isEmpty();
    }

    @Test
    void watch_canBeEnded_andIsBounded() {
        LogChoices choices = choices(0, 0);
        Instant later = now.plusSeconds(1);
        for (int i = 0; i < LogChoices.MOST_WATCHED; i++) {
            choices.watch(new Watched("user", "user-" + i), later);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> choices.watch(new Watched("user", "one more"), later))
                .withMessageContaining("fewer than 100");
        choices.watch(new Watched("user", "user-0"), later.plusSeconds(1));
        choices.watch(new Watched("user", "user-1"), now);
        choices.watch(new Watched("user", "one more"), later);

        assertThat(choices.watched()).hasSize(LogChoices.MOST_WATCHED);
    }

    @Test
    void unwritablePath_dropsAndCounts() throws IOException {
        Path blocked = Files.writeString(directory.resolve("file"), "not a directory");
        DecisionLog log = new DecisionLog(
                choices(LogChoices.WHOLE, LogChoices.WHOLE),
                WORDS,
                null,
                new LineFile(blocked.resolve("lines"), LARGE, 0),
                Clock.system());
        ask(log, "ann", "t", 100);
        log.close();

        assertThat(log.dropped()).isEqualTo(100);
        assertThat(log.written()).isZero();
    }

    /** Every line that is counted as written is in the file with that name, even if the directory disappeared. */
    @Test
    @Timeout(120)
    void deletedDirectory_isCreatedAgain() throws IOException {
        Path lines = directory.resolve("logs").resolve("lines");
        DecisionLog log = new DecisionLog(
                choices(LogChoices.WHOLE, LogChoices.WHOLE),
                WORDS,
                null,
                new LineFile(lines, LARGE, 0),
                Clock.system());
        ask(log, "ann", "t", 1);
        while (log.written() < 1) {
            LockSupport.parkNanos(1_000_000);
        }
        Files.delete(lines);
        Files.delete(lines.getParent());
        ask(log, "bob", "t", 1);
        log.close();

        assertThat(log.written()).isEqualTo(2);
        assertThat(LineFile.read(lines, 0)).singleElement().asString().contains("bob");
    }

    @Test
    void decisionAfterClose_isDropped() {
        DecisionLog log = log(choices(LogChoices.WHOLE, LogChoices.WHOLE));
        log.close();
        ask(log, "ann", "t", 3);

        assertThat(log.dropped()).isEqualTo(3);
    }

    /**
     * Every line that was reported as written is there and readable, even if the process was killed in the middle of a
     * write.
     */
    @Test
    @Timeout(120)
    void writtenLines_surviveAKill_andAreReadable() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoggingChild.class.getName(),
                        file().toString())
                .redirectErrorStream(true)
                .start();
        long written = 0;
        try {
            for (String line = process.inputReader().readLine(); written < 5_000; ) {
                written = Long.parseLong(line);
                line = process.inputReader().readLine();
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        List<String> lines = LineFile.read(file(), 1);

        assertThat(lines.size()).isGreaterThanOrEqualTo((int) written);
        assertThat(lines).allMatch(DecisionLogTest::isWhole);
    }

    /** Simulates a power failure, after which the file may end anywhere. */
    @Test
    void tornWrite_leavesAllOthersReadable() throws IOException {
        decideAndClose("ann");
        decideAndClose("bob");
        String before = Files.readString(file());
        int secondLine = before.indexOf('\n') + 1;
        for (int end = secondLine; end < before.length(); end += 7) {
            Files.writeString(file(), before.substring(0, end));
            decideAndClose("eve");
            List<String> lines = LineFile.read(file(), 0);

            assertThat(lines.get(0)).contains("ann").matches(DecisionLogTest::isWhole);
            assertThat(lines.get(lines.size() - 1)).contains("eve").matches(DecisionLogTest::isWhole);
            assertThat(lines).hasSize(end == secondLine ? 2 : 3);
        }
    }

    private void decideAndClose(String user) {
        LineFile lines = new LineFile(file(), LARGE, 0);
        LogChoices all = choices(LogChoices.WHOLE, LogChoices.WHOLE);
        try (DecisionLog log = new DecisionLog(all, WORDS, null, lines, clock);
                Limiter limiter =
                        Limiter.builder(POLICIES).clock(clock).listener(log).build()) {
            limiter.decide(Request.of("user", user).with("tenant", "t"));
        }
    }

    private static boolean isWhole(String line) {
        try (JsonParser json = new JsonFactory().createParser(line)) {
            boolean isObject = json.nextToken() == JsonToken.START_OBJECT;
            json.skipChildren();
            return isObject && json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }
}
