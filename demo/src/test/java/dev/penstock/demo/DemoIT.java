package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Runs the demo at ten times its normal speed or more. */
class DemoIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Demo demo(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--port", "0", "--admin-port", "0", "--speed", "10"));
        arguments.addAll(List.of(more));
        return new Demo(DemoOptions.parse(arguments), lines::add);
    }

    private int run(String... arguments) {
        return DemoMain.run(
                Arrays.asList(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String line(String start) {
        return lines.stream().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
    }

    private String metrics() throws IOException, InterruptedException {
        URI console = URI.create(line("Open ").substring("Open ".length()));
        HttpRequest request =
                HttpRequest.newBuilder(console.resolve("/metrics")).build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private Path policies() {
        return Path.of(line("policies  ").split(" +", -1)[1]);
    }

    /** Waits until series that match these patterns have counted something. */
    private void awaitSeries(String... patterns) {
        await().atMost(LONG).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            String metrics = metrics();
            assertThat(patterns)
                    .allSatisfy(pattern -> assertThat(metrics)
                            .containsPattern(Pattern.compile("^" + pattern + ".*\\} [1-9]", Pattern.MULTILINE)));
        });
    }

    @Test
    void memory_everyKindOfOutcome_occurs() throws Exception {
        Path policies;
        try (Demo demo = demo()) {
            demo.open();
            policies = policies();

            awaitSeries(
                    "rate_limiter_allowed_total\\{.*policy=\"monitoring\"",
                    "rate_limiter_blocked_total\\{.*policy=\"scanners\"",
                    "rate_limiter_allowed_total\\{.*policy=\"plan\"",
                    "rate_limiter_blocked_total\\{.*policy=\"plan\"",
                    "rate_limiter_allowed_total\\{.*policy=\"exports\"",
                    "rate_limiter_blocked_total\\{.*policy=\"exports\"",
                    "rate_limiter_allowed_total\\{.*policy=\"login\"",
                    "rate_limiter_blocked_total\\{.*policy=\"login\"",
                    "rate_limiter_shadow_blocked_total\\{.*policy=\"per-user\"",
                    "rate_limiter_near_limit_total\\{.*policy=\"plan\"",
                    "http_429_total\\{.*tenant=\"globex\"");
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(lines)
                            .contains(
                                    "00:12  " + Incident.NOISY_NEIGHBOUR.text(),
                                    "00:50  " + Incident.ONE_ACCOUNT.text()));
        }
        assertThat(lines.get(0)).matches("Open http://127\\.0\\.0\\.1:[0-9]+/console");
        assertThat(lines).noneMatch(line -> line.contains("store: ")).noneMatch(line -> line.startsWith("without"));
        assertThat(lines.get(lines.size() - 1)).startsWith("all ");
        assertThat(policies.getParent()).doesNotExist();
    }

    @Test
    void loginsUnderAttack_attackersAreChallenged_andHonestLoginsAreAllowed() throws Exception {
        try (Demo demo = demo()) {
            demo.open();

            await().atMost(LONG)
                    .until(() -> lines.stream()
                                    .filter(line -> line.contains("login attack over: "))
                                    .count()
                            >= 2);
            awaitSeries(
                    "rate_limiter_candidate_requests_total\\{.*policy=\"one-for-all\",result=\"looser\"",
                    "rate_limiter_candidate_requests_total\\{.*policy=\"one-for-all\",result=\"stricter\"");
            await().atMost(LONG).until(() -> wasPrinted("candidate one-for-all: of "));
        }
        assertThat(lines)
                .filteredOn(line -> line.contains("login attack over: "))
                .anyMatch(line -> line.matches(".* over: [1-9][0-9]* of .*"))
                .allMatch(line -> line.matches(".*; ([0-9]+) of \\1 honest logins were allowed"));
        assertThat(line("(honest login)")).matches("\\(honest login\\) +([1-9][0-9,]*) +\\1 +0 +0");
        assertThat(line("(attackers)")).matches("\\(attackers\\) +[1-9].* [1-9][0-9,]*");
    }

    @Test
    void redis_hangsAndDies_andFailureModesDecideMeanwhile() throws Exception {
        try (Demo demo = demo("--redis")) {
            demo.open();

            awaitSeries(
                    "rate_limiter_requests_total\\{decided_by=\"store\",outcome=\"allowed\"",
                    "rate_limiter_requests_total\\{decided_by=\"fallback\",outcome=\"allowed\"",
                    "rate_limiter_blocked_total\\{decided_by=\"fallback\",policy=\"login\"");
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(lines)
                            .contains(
                                    "00:38  store: Redis does not answer: it hangs",
                                    "00:48  store: Redis continues with its data",
                                    "01:23  store: Redis does not answer: it was killed",
                                    "01:33  store: Redis is back, without its data"));
        }
        assertThat(lines).noneMatch(line -> line.startsWith("without a decision"));
    }

    @Test
    void policies_edited_areLoadedOrRejected_andReported() throws Exception {
        try (Demo demo = demo()) {
            demo.open();
            String good = Files.readString(policies());

            Files.writeString(policies(), good.replace("globex: team", "globex: enterprise"));
            await().atMost(LONG).until(() -> wasPrinted("policies: version 2 is in use"));
            Files.writeString(policies(), good + "plnas: {}\n");
            await().atMost(LONG).until(() -> wasPrinted("policies: rejected: "));
            Files.writeString(policies(), good);
            await().atMost(LONG).until(() -> wasPrinted("policies: version 3 is in use"));
        }
        assertThat(lines)
                .filteredOn(line -> line.contains("rejected"))
                .hasSize(1)
                .allMatch(line -> line.contains("plnas"));
    }

    private boolean wasPrinted(String what) {
        return lines.stream()
                .anyMatch(line -> line.substring(Math.min(7, line.length())).startsWith(what));
    }

    @Test
    void run_minutes_endsOnItsOwnWithASummary() {
        assertThat(run("--port", "0", "--admin-port", "0", "--minutes", "1", "--speed", "20"))
                .isZero();

        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("Open http://127.0.0.1:")
                .containsPattern("\nacme +[1-9]")
                .containsPattern("\nall +[1-9][0-9,]* +[1-9][0-9,]* +[1-9][0-9,]* +[0-9][0-9,]*\n$");
    }

    @Test
    void run_portTaken_isOneLine() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());

            assertThat(run("--port", port, "--admin-port", "0")).isEqualTo(1);

            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("penstock demo: port: 127.0.0.1:" + port + ", ")
                    .endsWith("(expected: a port that is free)\n")
                    .hasLineCount(1);
            assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
        }
    }

    @Test
    void run_wrongOptions_isUsage() {
        assertThat(run("--minutes", "soon")).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("penstock demo: --minutes: soon (expected: 1 to 10080)\n");
    }

    @Test
    void run_help_showsEveryOption() {
        assertThat(run("--help")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("--redis", "--port N", "--admin-port N", "--minutes N", "--speed N");
    }
}
