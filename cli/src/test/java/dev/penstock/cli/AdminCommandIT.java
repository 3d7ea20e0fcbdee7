package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Request;
import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.AdminToken;
import dev.penstock.server.DrainSettings;
import dev.penstock.server.EnvoySettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.ObserveSettings;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.Secret;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.WarmUpSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the commands against a running service. */
class AdminCommandIT {
    private static final String POLICIES = """
            version: 1
            policies:
              - name: api
                match: { route: /api/** }
                limits:
                  - { id: hourly, key: [user], token_bucket: 3/h }
                  - { id: all, key: [], token_bucket: 100/h }
              - name: login
                match: { route: /login }
                limits: [ { id: tries, key: [ip], sliding_log: 1/h, block_for: 10m } ]
            """;
    private static final ListenAddress ANY = new ListenAddress("127.0.0.1", 0);
    private static final Secret ANN = new Secret("the-token-of-ann");
    private static final Secret BOB = new Secret("the-token-of-bob");

    @TempDir
    Path directory;

    private Path file;
    private PenstockServer server;

    @BeforeEach
    void start() throws Exception {
        file = Files.writeString(directory.resolve("p.yaml"), POLICIES);
        server = PenstockServer.start(settings());
    }

    private ServerSettings settings() {
        return ServerSettings.of(file)
                .withAt(ANY)
                .withWarmUp(WarmUpSettings.OFF)
                .withDrain(new DrainSettings(Duration.ZERO, Duration.ZERO))
                .withObserve(ObserveSettings.DEFAULT.withLog(directory.resolve("decisions.jsonl"), 0, 0))
                .withAdmin(new AdminSettings(ANY)
                        .withAudit(directory.resolve("audit.jsonl"))
                        .withTokens(List.of(
                                new AdminToken("ann", AdminToken.Role.WRITE, ANN),
                                new AdminToken("bob", AdminToken.Role.READ, BOB))));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Run run(String line) {
        return run(Map.of("PENSTOCK_ADMIN_TOKEN", ANN.text()), line);
    }

    private Run run(Map<String, String> environment, String line) {
        List<String> arguments = new ArrayList<>(List.of("admin"));
        arguments.addAll(List.of(line.split(" ")));
        arguments.add("--url=http://127.0.0.1:" + server.adminPort());
        return Run.of(Run.Eye.PIPE, environment, arguments.toArray(String[]::new));
    }

    private void ask(String user) {
        var unused = server.limiter().decide(Request.of("route", "/api/x").with("user", user));
    }

    @Test
    void status_isPrintedAsTextAndAsJson() {
        Run result = run("status");

        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        assertThat(result.out())
                .containsPattern("node +\\S+:" + server.port() + "\n")
                .contains("\nstate     ready\n")
                .contains("\nstore     memory, of this node only\n")
                .contains("\nports     admin " + server.adminPort() + ", main " + server.port() + "\n");
        assertThat(run("status --json").json().at("/policies/version").asInt()).isEqualTo(1);
    }

    @Test
    void candidates_withoutAny_saysSo() {
        assertThat(run("candidates").out()).isEqualTo("no policy has candidate_of\n");
    }

    @Test
    void candidates_thatDiffer_areShownWithTheirShares() throws Exception {
        Files.writeString(
                file,
                POLICIES + "  - { name: next, candidate_of: api, limits: [ { key: [user], token_bucket: 1/h } ] }\n");
        server.reload();
        for (int i = 0; i < 4; i++) {
            ask("ann"); // three are allowed
        }

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(run("candidates").out())
                        .contains("candidate  of   compared  stricter    looser\n")
                        .contains("next       api  4         2 (50.0 %)  0 (0.0 %)\n")
                        .contains("on the node "));
        assertThat(run("candidates --json").json().at("/candidates/0/stricter").asInt())
                .isEqualTo(2);
    }

    @Test
    void missingAttributes_areCounted() {
        assertThat(run("missing").out()).isEqualTo("no request lacked an attribute\n");
        ask("ann");
        var unused = server.limiter().decide(Request.of("route", "/api/x"));

        assertThat(run("missing").out())
                .contains("policy  attribute  requests  missing\n")
                .contains("api     user       2         1 (50.0 %)\n");
        assertThat(run("missing --json").json().at("/missing/0/missing").asInt())
                .isEqualTo(1);
    }

    @Test
    void keysOfRulesForEnvoy_areNamedByTheirDescriptor() throws Exception {
        assertThat(run("keys show --domain edge user=ann").err()).contains("no envoy.rules are in use");
        assertThat(run("keys show --domain edge --policy api user=ann").err())
                .contains("--domain: used together with another selection");
        server.close();
        Path rules = Files.writeString(
                directory.resolve("rules.yaml"),
                "domain: edge\ndescriptors: [ { key: user, rate_limit: { unit: year, requests_per_unit: 2 } } ]\n");
        server = PenstockServer.start(settings()
                .withEnvoy(new EnvoySettings(
                        List.of(rules), EnvoyRules.SameDomain.REFUSED, false, EnvoySettings.Headers.OFF, false)));

        assertThat(run("keys block --domain edge user=ann --for 10m").out()).isEqualTo("blocked: 1 key, for 10m\n");
        assertThat(run("keys show --domain edge user=ann").out())
                .contains("edge/user")
                .contains("user=ann")
                .contains("blocked by ann until 2");
        assertThat(run("keys unblock --domain edge user=ann").out()).isEqualTo("unblocked: 1 key\n");
        assertThat(run("keys reset --domain edge user=ann").status()).isZero();
    }

    @Test
    void nodes_withoutASharedStore_areOnlyThisOne() {
        assertThat(run("nodes").out())
                .contains(":" + server.port())
                .contains("this one\n")
                .endsWith("other nodes are unknown: there is no shared store, or it does not answer\n");
    }

    @Test
    void keys_areBlockedAndUnblocked() {
        Run blocked = run("keys block --policy api --limit hourly --key ann --for 10m");

        assertThat(blocked.err()).isEmpty();
        assertThat(blocked.out()).isEqualTo("blocked: 1 key, for 10m\n");
        assertThat(run("keys show --policy api --limit hourly --key ann").out()).contains("blocked by ann until 2");
        assertThat(run("keys blocked").out()).containsPattern("\napi +user=ann +ann +\\S+ +\\S+\n");
        assertThat(server.limiter()
                        .decide(Request.of("route", "/api/x").with("user", "ann"))
                        .isAllowed())
                .isFalse();
        assertThat(run("keys unblock --policy api --limit hourly --key ann").out())
                .isEqualTo("unblocked: 1 key\n");
        assertThat(server.limiter()
                        .decide(Request.of("route", "/api/x").with("user", "ann"))
                        .isAllowed())
                .isTrue();
        assertThat(run("keys block --policy api --key ann --for ever").err())
                .contains("--for: ever (expected: a time such as 10m)");
    }

    @Test
    void top_showsTheMostRequestedKeys() {
        for (int i = 0; i < 4; i++) {
            ask("ann");
        }
        assertThat(run("top").out())
                .containsPattern("\napi +asked +user=ann +4 +")
                .containsPattern("\napi +denied +user=ann +1 +")
                .containsPattern("\nover \\d+ s, of this node only\n$");
        assertThat(run("top --limit 0").err()).contains("--limit: 0 (expected: 1 to 20)");
    }

    /** Uses a name with control characters, which would start a new row or reverse the rest of the line. */
    @Test
    @Timeout(120)
    void nameOfAUser_cannotForgeARow() throws Exception {
        String name = "eve\napi  denied  user=ann\u202e\u2028\t\u001b";
        String shown = "user=eve\\napi  denied  user=ann\\u202e\\u2028\\t\\u001b";
        Run tail = runWhileAsking(name, "tail --outcome denied --count 1");
        Run top = run("top");

        assertThat(tail.out().lines()).singleElement().asString().contains("api/hourly  " + shown + "  /api/**");
        assertThat(top.out().lines())
                .anyMatch(line -> line.matches("api +asked +" + Pattern.quote(shown) + " .*"))
                .allMatch(line -> line.matches("(policy|api +asked|api +denied|over) .*"));
        assertThat(top.out()).doesNotContain("\u202e", "\u2028", "\t", "\u001b");
    }

    private Run runWhileAsking(String line) throws Exception {
        return runWhileAsking("ann", line);
    }

    /** Returns the output of a command while one user keeps sending requests. */
    private Run runWhileAsking(String user, String line) throws Exception {
        Thread asking = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                ask(user);
                LockSupport.parkNanos(5_000_000);
            }
        });
        asking.start();
        try {
            return run(line);
        } finally {
            asking.interrupt();
            asking.join();
        }
    }

    @Test
    @Timeout(120)
    void tail_printsDecisionsUpToTheCount() throws Exception {
        Run people = runWhileAsking("tail --outcome denied --policy api --key ann --count 2");
        Run programs = runWhileAsking("tail --outcome denied --count 3 --json");

        assertThat(people.err()).isEmpty();
        assertThat(people.out().lines())
                .hasSize(2)
                .allMatch(line -> line.matches(
                        "\\S+Z  denied   api/hourly  user=ann  /api/[*]{2}  0 requests left  limit_exceeded  by \\S+"));
        assertThat(programs.out().lines()).hasSize(3).allMatch(line -> line.contains("\"outcome\":\"denied\""));
    }

    @Test
    @Timeout(120)
    void tail_reportsThatTheServiceShutsDown() throws Exception {
        CompletableFuture<Run> tail = CompletableFuture.supplyAsync(() -> run("tail"));
        assertThat(runWhileAsking("tail --count 1").status()).isZero();
        server.close();

        assertThat(tail.join().status()).isEqualTo(1);
    }

    @Test
    void watch_logsAllDecisionsOfOneUser_untilItIsEnded() throws Exception {
        assertThat(run("watch").out()).isEqualTo("nothing is watched\n");
        ask("ann");
        Run begun = run("watch --attribute user=ann --for 10m");
        assertThat(begun.err()).isEmpty();
        assertThat(begun.out()).containsPattern("\nuser=ann  \\S+Z\n$");
        ask("ann");
        ask("bob");
        assertThat(run("watch --attribute user=ann --end").out()).isEqualTo("nothing is watched\n");
        ask("ann");
        server.close();

        assertThat(Files.readAllLines(directory.resolve("decisions.jsonl")))
                .singleElement()
                .asString()
                .contains("\"key\":[\"ann\"]");
    }

    @Test
    void shadow_isBegunAndEnded() {
        assertThat(run("shadow").out()).isEqualTo("not in shadow mode: limits are enforced\n");
        assertThat(run("shadow --for 1m").out()).startsWith("in shadow mode until ");
        assertThat(run("shadow --json").json().path("shadow").asBoolean()).isTrue();
        assertThat(run("shadow --end").out()).isEqualTo("not in shadow mode: limits are enforced\n");
        assertThat(run("shadow --end --for 1m").err()).contains("--end: used together with --for");
    }

    @Test
    void keys_areShownAndReset() {
        ask("ann");
        Run ofPolicy = run("keys show --policy api --key ann");
        Run ofRequest = run("keys show route=/api/x user=ann");
        Run everyone = run("keys show --policy api");
        Run reset = run("keys reset --policy api --limit hourly --key ann");

        assertThat(ofPolicy.out().lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("api/hourly  user=ann  2     3 requests  ");
        assertThat(ofRequest.out().lines()).hasSize(3);
        assertThat(everyone.out()).contains("api/all  everyone together  99    100 requests");
        assertThat(reset.out()).isEqualTo("reset: 1 counter\n");
        assertThat(run("keys show --policy api --key ann --json")
                        .json()
                        .at("/limits/0/remaining")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void policy_isResetAsAWhole() {
        ask("ann");
        ask("bob");
        Run reset = run("keys reset --policy api --all");

        assertThat(reset.err()).isEmpty();
        assertThat(reset.out()).isEqualTo("reset: 2 counters, for all keys\n");
        for (String user : List.of("ann", "bob")) {
            assertThat(run("keys show --policy api --key " + user + " --json")
                            .json()
                            .at("/limits/0/remaining")
                            .asInt())
                    .isEqualTo(3);
        }
        assertThat(run("keys reset --policy none --all").err())
                .isEqualTo("penstock admin keys reset: name: none (expected: a policy that is in use)\n");
        assertThat(run("keys reset --policy api --key ann --all").status()).isEqualTo(2);
    }

    @Test
    void block_isShown() {
        for (int i = 0; i < 2; i++) {
            var unused = server.limiter().decide(Request.of("route", "/login").with("ip", "192.0.2.1"));
        }
        assertThat(run("keys show --policy login --key 192.0.2.1").out()).contains("blocked until 2");
    }

    @Test
    void reload_loadsAChange_orReportsItsErrors() throws Exception {
        Files.writeString(file, POLICIES.replace("3/h", "5/h"));
        Run taken = run("reload");
        Files.writeString(file, "version: 1\npolicies: 5\n");
        Run refused = run("reload");
        Run policies = run("policies");
        Files.writeString(file, POLICIES);
        run("reload");

        assertThat(taken.out()).startsWith("version 2, hash ").endsWith(": 2 policies, 3 limits in 1 file\n");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err())
                .startsWith("penstock admin reload: The policy files cannot be used; version 2 stays in use. ")
                .contains("p.yaml:2:11 policies: ");
        assertThat(policies.out())
                .contains("the files have been unusable since ")
                .contains("p.yaml:2:11 policies: ")
                .doesNotContain("could not be used");
        assertThat(run("policies").out())
                .startsWith("version 3, ")
                .containsPattern("\ncould not be used at \\S+Z: \\S+p.yaml:2:11 policies: ");
    }

    @Test
    void audit_listsChangesUnderTheNamesOfTheTokens() {
        run("keys reset --policy api --key ann");
        Run result = run(Map.of(), "audit --limit 5 --token " + BOB.text());

        assertThat(result.out().lines()).hasSize(2);
        assertThat(result.out())
                .containsPattern(
                        "\\dZ  ann  127.0.0.1  keys.reset  done    \\[\\{\"policy\":\"api\",\"limit\":\"hourly\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            keys show                               | 2 | penstock admin keys show: NAME=VALUE: nothing (expected: attributes, or --policy)
            keys show --key x                       | 2 | penstock admin keys show: --key: without --policy (expected: --policy NAME as well)
            keys show --policy api a=b              | 2 | penstock admin keys show: NAME=VALUE: used together with --policy (expected: only one of the two)
            keys show --policy apis --key x         | 1 | penstock admin keys show: policy: apis (expected: a policy that is in use; did you mean api?)
            watch --for 1m                          | 2 | penstock admin watch: --attribute: nothing (expected: NAME=VALUE)
            watch --attribute user --for 1m         | 2 | penstock admin watch: attribute: user (expected: NAME=VALUE)
            watch --attribute user=ann              | 2 | penstock admin watch: --for: nothing (expected: a time, or --end)
            watch --attribute user=ann --for 2d     | 1 | penstock admin watch: for_ms: 172800000 (expected: a whole number from 0 to 86400000)
            tail --count 0                          | 2 | penstock admin tail: --count: 0 (expected: 1 or more)
            tail --outcome perhaps                  | 1 | penstock admin tail: outcome: perhaps (expected: one of allowed, denied, shadow_denied)
            audit --limit 0                         | 2 | penstock admin audit: --limit: 0 (expected: 1 to 1000)
            status --token the-token-of-who         | 1 | penstock admin status: URL: the service does not know the token (expected: a token in --token or PENSTOCK_ADMIN_TOKEN)
            reload --token the-token-of-bob         | 1 | penstock admin reload: The token bob is read-only (expected: a token with full access).
            """)
    void error_isOneLine(String line, int status, String expected) {
        Run run = run(line);

        assertThat(run.err().replace("http://127.0.0.1:" + server.adminPort(), "URL"))
                .isEqualTo(expected + "\n");
        assertThat(run.out()).isEmpty();
        assertThat(run.status()).isEqualTo(status);
    }

    @Test
    void missingToken_isReportedWithWhereToGiveIt() {
        assertThat(run(Map.of(), "status").err())
                .endsWith(": the service requires a token (expected: a token in --token or PENSTOCK_ADMIN_TOKEN)\n");
    }

    @Test
    void serviceThatDoesNotRun_isReported() {
        int port = server.adminPort();
        server.close();
        Run run = Run.of("admin", "status", "--url", "http://127.0.0.1:" + port);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo("penstock admin status: http://127.0.0.1:" + port
                        + ": no answer (expected: the admin port of a running service)\n");
    }

    @Test
    void wrongPort_isReported() {
        assertThat(Run.of("admin", "status", "--url", "http://127.0.0.1:" + server.port())
                        .err())
                .endsWith(": answered with status 404 (expected: the admin port of a service)\n");
        assertThat(Run.of("admin", "status", "--url", "localhost:8081").err())
                .isEqualTo("penstock admin status: --url: localhost:8081 (expected: http://HOST:PORT)\n");
    }
}
