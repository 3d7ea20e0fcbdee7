package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The audit log: changes are recorded before they are made, and stay recorded. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AdminAuditIT {
    @TempDir
    Path directory;

    private Path audit() {
        return directory.resolve("logs/audit.jsonl");
    }

    private PenstockServer start() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), TestService.POLICIES);
        return PenstockServer.start(TestService.settings(file)
                .withAdmin(TestService.settings(file).admin().withAudit(audit())));
    }

    private static JsonNode changes(PenstockServer server) throws Exception {
        HttpResponse<String> response = ServiceClient.ofAdmin(server).get("/admin/audit");
        assertThat(response.statusCode()).isEqualTo(200);
        return ServiceClient.json(response).get("changes");
    }

    private static int reset(PenstockServer server, String user) throws Exception {
        return ServiceClient.ofAdmin(server)
                .post("/admin/keys/reset", "{\"policy\": \"api\", \"key\": [\"" + user + "\"]}")
                .statusCode();
    }

    @Test
    void changes_areListed_newestFirst_alsoAfterARestart() throws Exception {
        try (PenstockServer server = start()) {
            assertThat(reset(server, "ann")).isEqualTo(200);
            assertThat(reset(server, "bob")).isEqualTo(200);
            Files.writeString(directory.resolve("p.yaml"), "version: 1\npolicies: 5\n");
            assertThat(ServiceClient.ofAdmin(server)
                            .post("/admin/policies/reload", "")
                            .statusCode())
                    .isEqualTo(422);
        }
        try (PenstockServer server = start()) {
            JsonNode changes = changes(server);

            assertThat(changes).hasSize(3);
            assertThat(changes.get(0).get("what").asText()).isEqualTo("policies.reload");
            assertThat(changes.get(0).get("result").asText()).isEqualTo("rejected");
            assertThat(changes.get(1).get("what").asText()).isEqualTo("keys.reset");
            assertThat(changes.get(1).get("who").asText()).isEqualTo("loopback");
            assertThat(changes.get(1).get("result").asText()).isEqualTo("done");
            assertThat(changes.get(1).get("about").toString())
                    .isEqualTo("[{\"policy\":\"api\",\"limit\":\"token_bucket-1h\",\"key\":[\"bob\"]}]");
            assertThat(changes.get(2).get("about").toString()).contains("ann");
        }
    }

    @Test
    void temporaryChange_isRecordedWithItsDuration() throws Exception {
        try (PenstockServer server = startLogging()) {
            ServiceClient client = ServiceClient.ofAdmin(server);
            client.post("/admin/keys/block", "{\"policy\": \"api\", \"key\": [\"ann\"], \"for_ms\": 60000}");
            client.post("/admin/shadow", "{\"for_ms\": 70000}");
            client.post("/admin/shadow", "{\"for_ms\": 0}");
            watch(server, "user", "ann");
            watch(server, "api_key", "of-ann");

            assertThat(changes(server))
                    .extracting(change -> change.get("what").asText() + " " + change.path("about"))
                    .containsExactly(
                            "log.watch {\"attribute\":\"api_key\",\"for_ms\":80000}",
                            "log.watch {\"attribute\":\"user\",\"value\":\"ann\",\"for_ms\":80000}",
                            "shadow.end ",
                            "shadow.begin {\"for_ms\":70000}",
                            "keys.block [{\"policy\":\"api\",\"limit\":\"token_bucket-1h\",\"key\":[\"ann\"],\"for_ms\":60000}]");
            assertThat(Files.readString(audit())).doesNotContain("of-ann");
        }
    }

    @Test
    void oneWatchedTooMany_isRefused() throws Exception {
        try (PenstockServer server = startLogging()) {
            for (int i = 0; i < 100; i++) {
                assertThat(watch(server, "user", "user-" + i).statusCode()).isEqualTo(200);
            }
            HttpResponse<String> refused = watch(server, "user", "one more");

            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(ServiceClient.json(refused).get("detail").asText())
                    .isEqualTo("watched: 100 (expected: fewer than 100 at one time)");
            assertThat(changes(server).get(0).get("result").asText()).isEqualTo("refused");
        }
    }

    private PenstockServer startLogging() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), TestService.POLICIES);
        return PenstockServer.start(TestService.settings(file)
                .withObserve(ObserveSettings.DEFAULT.withLog(directory.resolve("decisions.jsonl"), 0, 0))
                .withAdmin(TestService.settings(file).admin().withAudit(audit())));
    }

    private static HttpResponse<String> watch(PenstockServer server, String attribute, String value) throws Exception {
        return ServiceClient.ofAdmin(server)
                .post(
                        "/admin/log/watch",
                        "{\"attribute\": \"" + attribute + "\", \"value\": \"" + value + "\", \"for_ms\": 80000}");
    }

    @Test
    void fileThatCannotBeWritten_refusesTheChange() throws Exception {
        Files.writeString(directory.resolve("logs"), "no directory");
        try (PenstockServer server = start()) {
            ServiceClient client = new ServiceClient(server);
            for (int i = 0; i < 3; i++) {
                client.post("/v1/check", TestService.body("ann"));
            }
            HttpResponse<String> refused = ServiceClient.ofAdmin(server)
                    .post("/admin/keys/reset", "{\"policy\": \"api\", \"key\": [\"ann\"]}");
            Files.writeString(directory.resolve("p.yaml"), TestService.POLICIES.replace("3/h", "50/h"));
            HttpResponse<String> reload = ServiceClient.ofAdmin(server).post("/admin/policies/reload", "");

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(ServiceClient.json(refused).get("detail").asText())
                    .isEqualTo("The change was not made, because admin.audit_file cannot be written.");
            assertThat(reload.statusCode()).isEqualTo(503);
            assertThat(ServiceClient.json(client.post("/v1/check", TestService.body("ann")))
                            .get("allowed")
                            .asBoolean())
                    .isFalse();
        }
    }

    @Test
    void withoutAFile_changesAreMade_andNoneIsListed() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), TestService.POLICIES);
        try (PenstockServer server = PenstockServer.start(TestService.settings(file)
                .withAdmin(TestService.settings(file).admin().withAudit(null)))) {
            assertThat(reset(server, "ann")).isEqualTo(200);
            HttpResponse<String> told = ServiceClient.ofAdmin(server).get("/admin/audit");

            assertThat(told.body()).isEqualTo("{\"written\":false,\"changes\":[]}");
        }
    }

    @Test
    void incompleteLine_isSkipped_andTheNextOneIsSeparate() throws Exception {
        try (PenstockServer server = start()) {
            reset(server, "ann");
        }
        Files.writeString(audit(), "{\"id\":\"torn\",\"at\":\"2026-", StandardOpenOption.APPEND);
        try (PenstockServer server = start()) {
            assertThat(changes(server)).hasSize(1);
            reset(server, "bob");
            JsonNode changes = changes(server);

            assertThat(changes).hasSize(2);
            assertThat(changes.get(0).get("about").toString()).contains("bob");
            assertThat(changes.get(0).get("result").asText()).isEqualTo("done");
        }
    }

    @Test
    void lineCutOffWithinACharacter_isSkipped() throws Exception {
        Files.createDirectories(audit().getParent());
        Files.write(audit(), new byte[] {'{', '"', 'i', 'd', '"', ':', '"', (byte) 0xc3});
        try (PenstockServer server = start()) {
            assertThat(changes(server)).isEmpty();
            reset(server, "ann");

            assertThat(changes(server)).hasSize(1);
        }
    }

    @Test
    void movedFile_isCreatedAgain() throws Exception {
        try (PenstockServer server = start()) {
            reset(server, "ann");
            Files.move(audit(), directory.resolve("moved"));
            assertThat(reset(server, "bob")).isEqualTo(200);

            assertThat(changes(server)).hasSize(1);
            assertThat(changes(server).get(0).get("about").toString()).contains("bob");
            assertThat(Files.readString(directory.resolve("moved"))).contains("ann");
        }
    }

    @Test
    void nodesThatShareAFile_keepTheChangesOfBoth() throws Exception {
        try (PenstockServer one = start();
                PenstockServer other = start()) {
            for (String user : List.of("ann", "bob")) {
                reset(one, user);
                reset(other, user);
            }
            JsonNode changes = changes(one);

            assertThat(changes).hasSize(4);
            assertThat(changes).allMatch(change -> change.get("result").asText().equals("done"));
        }
    }

    @Test
    void changeWhoseEndIsMissing_isUnknown() throws Exception {
        Files.createDirectories(audit().getParent());
        Files.writeString(
                audit(),
                "{\"id\":\"1\",\"at\":\"2026-11-16T00:00:00Z\",\"who\":\"ann\",\"from\":\"::1\",\"what\":\"keys.reset\"}\n");
        try (PenstockServer server = start()) {
            assertThat(changes(server).get(0).get("result").asText()).isEqualTo("unknown");
        }
    }

    /** Every answered change is in the log, even if the process is killed while it makes others. */
    @Test
    void answeredChanges_surviveKill() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), TestService.POLICIES);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AuditingChild.class.getName(),
                        file.toString(),
                        audit().toString())
                .redirectErrorStream(true)
                .start();
        int answered;
        try {
            answered = untilAnswered(process, 20);
        } finally {
            process.destroyForcibly().waitFor();
        }
        try (PenstockServer server = start()) {
            JsonNode changes = changes(server);

            assertThat(changes.size()).isGreaterThanOrEqualTo(answered);
            long done = 0;
            for (JsonNode change : changes) {
                done += change.get("result").asText().equals("done") ? 1 : 0;
            }
            assertThat(done).isGreaterThanOrEqualTo(answered);
            assertThat(reset(server, "afterwards")).isEqualTo(200);
            assertThat(changes(server).get(0).get("about").toString()).contains("afterwards");
        }
    }

    private static int untilAnswered(Process process, int count) throws IOException {
        var lines = process.inputReader();
        int answered = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            answered += line.equals("200") ? 1 : 0;
            if (answered == count) {
                return answered;
            }
        }
        throw new AssertionError("ended after " + answered);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            limit=0         | limit | limit: 0 (expected: one number from 1 to 1000)
            limit=x         | limit | limit: x (expected: one number from 1 to 1000)
            limit=1001      | limit | limit: 1001 (expected: one number from 1 to 1000)
            limit=1&limit=2 | limit | limit: given twice (expected: once)
            most=5          | most  | most: unknown parameter (expected: limit)
            """)
    void wrongQuery_isNamed(String query, String field, String detail) throws Exception {
        try (PenstockServer server = start()) {
            HttpResponse<String> refused = ServiceClient.ofAdmin(server).get("/admin/audit?" + query);

            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(List.of(
                            ServiceClient.json(refused).get("field").asText(),
                            ServiceClient.json(refused).get("detail").asText()))
                    .containsExactly(field, detail);
        }
    }
}
