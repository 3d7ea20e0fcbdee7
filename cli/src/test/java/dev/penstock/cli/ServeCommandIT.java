package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeCommandIT {
    private static final Path EXAMPLES = Path.of("../examples/public-api.yaml");
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    /** Runs the command in a separate thread until it is interrupted. */
    private static final class Serving implements AutoCloseable {
        private final StringWriter out = new StringWriter();
        private final StringWriter err = new StringWriter();
        private final AtomicInteger status = new AtomicInteger(-1);
        private final Thread thread;

        Serving(List<Path> examples, String... arguments) {
            Surroundings surroundings = new Surroundings(
                    new Output(new PrintWriter(out), false),
                    new Output(new PrintWriter(err), false),
                    Map.of(),
                    () -> 0,
                    examples);
            thread = new Thread(
                    () -> status.set(PenstockMain.commandLine(surroundings).execute(arguments)), "serve-for-test");
            thread.start();
        }

        /** Returns what it prints, once it serves. */
        String told() {
            await().atMost(LONG).until(() -> out.toString().contains("\nlimits ") || !thread.isAlive());
            assertThat(thread.isAlive()).as(err.toString()).isTrue();
            return out.toString();
        }

        String address() {
            Matcher matcher = Pattern.compile("serving +(\\S+)\n").matcher(told());
            assertThat(matcher.find()).isTrue();
            return matcher.group(1);
        }

        @Override
        public void close() {
            thread.interrupt();
            await().atMost(LONG).until(() -> !thread.isAlive());
        }
    }

    @Test
    void serve_withExamples_answersUntilInterrupted() throws Exception {
        Serving serving = new Serving(List.of(EXAMPLES), "serve", "--port", "0", "--admin-port", "0");
        try (serving) {
            assertThat(serving.told())
                    .contains("a single node")
                    .contains("--redis redis://HOST:PORT")
                    .contains("\npolicies  6 policies of 1 file, hash ");
            await().atMost(LONG).until(() -> HttpStatus.of(serving.address() + "/health/ready") == 200);
        }
        assertThat(serving.status).hasValue(0);
    }

    @Test
    void serve_curlLines_workAsPrinted() throws Exception {
        assumeTrue(Bash.run(directory, "command -v curl").status() == 0, "curl is not on the PATH");
        try (Serving serving = new Serving(List.of(EXAMPLES), "serve", "--port", "0", "--admin-port", "0")) {
            await().atMost(LONG)
                    .until(() -> serving.told()
                                    .lines()
                                    .filter(line -> line.startsWith("  curl"))
                                    .count()
                            == 3);
            List<String> lines = serving.told()
                    .lines()
                    .filter(line -> line.startsWith("  curl"))
                    .toList();

            assertThat(Bash.run(directory, lines.get(0)).out()).contains("{\"allowed\":true,");
            assertThat(Bash.run(directory, lines.get(1)).out())
                    .startsWith("HTTP/1.1 200")
                    .contains("\nratelimit: \"anonymous/");
            assertThat(Bash.run(directory, lines.get(2)).out())
                    .startsWith("200 200 ")
                    .endsWith(" 429 429 ");
        }
    }

    @Test
    void serve_withOwnPolicies_doesNotMentionExamples() throws Exception {
        Path policies = Files.writeString(directory.resolve("p.yaml"), """
                version: 1
                policies: [ { name: a, limits: [ { key: ip, token_bucket: 1/s } ] } ]
                """);
        try (Serving serving = new Serving(
                List.of(EXAMPLES), "serve", "--port", "0", "--admin-port", "0", "--policies", policies.toString())) {
            assertThat(HttpStatus.of(serving.address() + "/health/live")).isEqualTo(200);
            assertThat(serving.told())
                    .contains("\npolicies  1 policy of 1 file")
                    .doesNotContain("curl");
        }
    }

    @Test
    void serve_badPolicies_areReportedWithTheirLines() throws Exception {
        Path policies = Files.writeString(directory.resolve("p.yaml"), "version: 1\nplans: 5\n");

        Run run = Run.of("serve", "--port", "0", "--policies", policies.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("p.yaml:2:8 plans: 5 (expected: ").endsWith("1 error in 1 file\n");
    }

    @Test
    void serve_portThatIsTaken_isOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            String port = Integer.toString(taken.getLocalPort());

            Run run = Run.of("serve", "--port", port, "--admin-port", "0", "--policies", EXAMPLES.toString());

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .startsWith("penstock serve: port: 0.0.0.0:" + port + ", ")
                    .endsWith(" (expected: a port that is free)\n")
                    .hasLineCount(1);
        }
    }

    @Test
    void serve_invalidCertificate_isOneLine() throws Exception {
        Path file = Files.writeString(directory.resolve("none.pem"), "nothing");

        Run run = Run.of(
                "serve",
                "--port",
                "0",
                "--admin-port",
                "0",
                "--policies",
                EXAMPLES.toString(),
                "--tls-certificate",
                file.toString(),
                "--tls-key",
                file.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("penstock serve: tls.certificate: " + file + " contains no certificate")
                .hasLineCount(1);
    }

    @Test
    void serve_printsTheAddressOfTheConsole() throws Exception {
        try (Serving serving = new Serving(List.of(EXAMPLES), "serve", "--port", "0", "--admin-port", "0")) {
            Matcher metrics = Pattern.compile("\nmetrics   (\\S+)\n").matcher(serving.told());
            Matcher console = Pattern.compile("\nconsole   (\\S+)\n").matcher(serving.told());
            assertThat(metrics.find() && console.find()).as(serving.told()).isTrue();
            assertThat(HttpStatus.of(metrics.group(1))).isEqualTo(200);
            assertThat(HttpStatus.of(console.group(1))).isEqualTo(200);
        }
    }

    @Test
    void serve_withoutPolicies_isAnError() {
        Run run = Run.of("serve");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("""
                policies (--policies, PENSTOCK_POLICIES): none (expected: at least one file or directory)
                1 error in the settings
                """);
    }

    @Test
    void serve_wrongSettings_areAllReportedWithTheirLines() throws Exception {
        Path config = Files.writeString(directory.resolve("penstock.yaml"), "port: http\n");

        Run run = Run.of(
                Run.Eye.PIPE,
                Map.of("PENSTOCK_NODS", "1"),
                "serve",
                "--policies",
                "x",
                "--deadline",
                "soon",
                "--config",
                config.toString());

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err().replace(directory + "/", "")).isEqualTo("""
                penstock.yaml:1:7 port: http (expected: a number from 0 to 65535)
                  1 | port: http
                    |       ^
                PENSTOCK_NODS: no such setting (expected: one of serve --help; did you mean PENSTOCK_NODES?)
                --deadline: soon (expected: a time such as 30s, 10m, 1h30m or 500ms)
                3 errors in the settings
                """);
    }

    @Test
    void printConfig_showsEverySettingAndItsSource_andHidesSecrets() throws Exception {
        Files.writeString(directory.resolve("penstock.yaml"), """
                port: 9000
                gate: { attributes: { X-Tenant: tenant } }
                redis: redis://me:very-secret@host
                """);
        Map<String, String> environment = Map.of(
                "PENSTOCK_CONFIG", directory.resolve("penstock.yaml").toString(),
                "PENSTOCK_PORT", "9001",
                "PENSTOCK_TOKENS", "very-secret-token-1,very-secret-token-2",
                "PENSTOCK_ADMIN_TOKEN", "very-secret-token-3");

        Run run =
                Run.of(Run.Eye.PIPE, environment, "serve", "--print-config", "--policies", "a.yaml", "--policies", "b");

        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().replace(directory + "/", "")).isEqualTo("""
                setting                     value                   from
                policies                    a.yaml, b               --policies
                port                        9000                    penstock.yaml:1
                host                        0.0.0.0                 default
                redis                       redis://me:hidden@host  penstock.yaml:3
                redis_password_file         none                    default
                redis_prefix                p                       default
                redis_tls.ca                none                    default
                redis_tls.certificate       none                    default
                redis_tls.key               none                    default
                deadline                    100ms                   default
                nodes                       none                    default
                redis_new_keys              10000                   default
                max_wait                    1s                      default
                remember_for                1m                      default
                memory.max_keys             none                    default
                memory.when_full            evict-oldest            default
                outage.local_for            10m                     default
                outage.then                 local                   default
                outage.max_keys             none                    default
                deny_cache.max_keys         65536                   default
                leases.max_keys             100000                  default
                tokens                      hidden, hidden          PENSTOCK_TOKENS
                tokens_file                 none                    default
                hosts                       none                    default
                tls.certificate             none                    default
                tls.key                     none                    default
                tls.client_ca               none                    default
                tls.admin                   false                   default
                admin.port                  8081                    default
                admin.host                  127.0.0.1               default
                admin.token                 hidden                  PENSTOCK_ADMIN_TOKEN
                admin.token_file            none                    default
                admin.read_tokens           none                    default
                admin.read_tokens_file      none                    default
                admin.audit_file            audit.jsonl             default
                metrics.port                none                    default
                metrics.host                none                    default
                metrics.tenants             0                       default
                metrics.series              10000                   default
                metrics.otlp.url            none                    default
                metrics.otlp.interval       1m                      default
                address.header              x-forwarded-for         default
                address.trusted_hops        0                       default
                address.trusted_proxies     none                    default
                headers.ratelimit           true                    default
                headers.x_ratelimit         true                    default
                headers.reset               epoch                   default
                headers.retry_after         true                    default
                headers.retry_after_jitter  0                       default
                gate.denied_status          by-reason               default
                gate.request_headers        x-forwarded             default
                gate.attributes             x-tenant=tenant         penstock.yaml:2
                gate.longest_delay          0                       default
                envoy.rules                 none                    default
                envoy.merge_domains         false                   default
                envoy.count_denied          false                   default
                envoy.headers               off                     default
                envoy.metadata              false                   default
                clients.connections         20000                   default
                clients.streams             1000                    default
                clients.waiting             4096                    default
                clients.body_bytes          1048576                 default
                clients.header_bytes        16384                   default
                clients.buffer_bytes        0                       default
                clients.slowest             10s                     default
                clients.idle                1m                      default
                permits.longest_hold        1h                      default
                warm_up.target              5ms                     default
                warm_up.at_most             10s                     default
                drain.delay                 0                       default
                drain.at_most               10s                     default
                log.format                  plain                   default
                region                      none                    default
                decision_log.file           none                    default
                decision_log.denied         100                     default
                decision_log.allowed        1                       default
                hot_keys.per_second         1000                    default
                traces.otlp                 none                    default
                """);
    }

    @Test
    void printConfig_asJson_hasTheSameContentOrTheErrors() {
        Run fine = Run.of("serve", "--print-config", "--json", "--policies", "a.yaml");
        Run wrong = Run.of("serve", "--print-config", "--json", "--policies", "a.yaml", "--port", "x");

        assertThat(fine.json().get("settings").get(1).toString())
                .isEqualTo("{\"name\":\"port\",\"value\":\"8080\",\"from\":\"default\"}");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).isEmpty();
        assertThat(wrong.json().get("errors").get(0).toString())
                .isEqualTo("{\"place\":\"--port\",\"problem\":\"x (expected: a number from 0 to 65535)\"}");
    }
}
