package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.Route;
import dev.penstock.server.OpenApiBook.Place;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The OpenAPI description is correct: it has the service's routes and answers, and its examples work as shown. */
class OpenApiIT {
    /** Values that differ from one run to the next. */
    private static final Set<String> OF_THE_MOMENT =
            Set.of("made_at", "expires_at", "hash", "id", "reset_after_ms", "retry_after_ms", "X-RateLimit-Reset");

    @TempDir
    private Path directory;

    private PenstockServer server;
    private final OpenApiBook book = OpenApiBook.shipped();

    @BeforeEach
    void start() throws Exception {
        server = PenstockServer.start(TestService.settings(Path.of("../examples/public-api.yaml")));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Set<String> operations(Iterable<Route> routes) {
        Set<String> all = new TreeSet<>();
        for (Route route : routes) {
            // gRPC routes are described by reflection.
            boolean isGrpc = route.patternString().matches("/[a-z0-9.]+[.][A-Za-z0-9]+/.*");
            for (HttpMethod method : route.methods()) {
                if (method != HttpMethod.CONNECT && !isGrpc) { // OpenAPI does not support it
                    all.add(method + " " + route.patternString().replaceAll(":([a-z]+)", "{$1}"));
                }
            }
        }
        return all;
    }

    @Test
    void operations_areTheRoutes() {
        assertThat(operations(server.routes())).containsExactlyElementsOf(book.operations(Place.MAIN_PORT));
        assertThat(operations(server.adminRoutes())).containsExactlyElementsOf(book.operations(Place.ADMIN_PORT));
    }

    @Test
    void adminPort_answersAsDescribed() throws Exception {
        Path file = Files.copy(Path.of("../examples/public-api.yaml"), directory.resolve("p.yaml"));
        try (PenstockServer fresh = PenstockServer.start(TestService.settings(file))) {
            ServiceClient admin = ServiceClient.ofAdmin(fresh);
            for (String operation : book.operations(Place.ADMIN_PORT)) {
                String[] words = operation.split(" ", -1);
                if (!book.takesBody(words[0], words[1])) { // the others are tested with their examples
                    String path = words[1].replace("{name}", "user").replace("{file}", "console.css");
                    assertThat(admin.send(admin.to(path).method(words[0], BodyPublishers.noBody()))
                                    .statusCode())
                            .as(operation)
                            .isEqualTo(path.equals("/") ? 307 : 200);
                }
            }
            Files.writeString(file, "version: 1\nplans: 5\n");

            assertThat(admin.post("/admin/policies/reload", "").statusCode()).isEqualTo(422);
            assertThat(json(admin.get("/admin/policies"))
                            .at("/failure/errors/0/line")
                            .asInt())
                    .isEqualTo(2);
            assertThat(admin.send(admin.to("/metrics").header("origin", "https://evil.example"))
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void document_isServedAsItIsShipped() throws Exception {
        ServiceClient client = new ServiceClient(server);
        HttpResponse<String> served = client.get("/openapi.json");

        assertThat(json(served)).isEqualTo(book.tree());
        assertThat(served.headers().firstValue("content-type")).contains("application/json");
    }

    @Test
    void references_leadSomewhere() {
        assertThat(book.tree().findValuesAsText("$ref"))
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                book.tree().at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    @Test
    void links_leadToParametersOfOperations() {
        List<JsonNode> links = book.tree().findValues("links").stream()
                .flatMap(group -> group.properties().stream().map(Map.Entry::getValue))
                .toList();
        assertThat(links).hasSizeGreaterThanOrEqualTo(6).allSatisfy(link -> {
            JsonNode path = pathOf(link.get("operationId").asText());
            Set<String> names = new TreeSet<>();
            path.path("parameters")
                    .forEach(parameter ->
                            names.add(book.resolved(parameter).get("name").asText()));
            assertThat(link.get("parameters").properties()).isNotEmpty().allSatisfy(parameter -> {
                assertThat(names).contains(parameter.getKey());
                assertThat(parameter.getValue().asText()).startsWith("$response.body#/");
            });
        });
    }

    private JsonNode pathOf(String operationId) {
        return book.tree().get("paths").properties().stream()
                .map(Map.Entry::getValue)
                .filter(path -> book.operationIds(path).contains(operationId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no operation " + operationId));
    }

    @Test
    void wholeNumbers_mayHaveAFractionOfZero() throws Exception {
        ServiceClient client = new ServiceClient(server);
        String request =
                "{\"attributes\": {\"route\": \"/v1/users/7\", \"user\": \"ann\"}, \"costs\": {\"requests\": %s}}";

        assertThat(json(client.post("/v1/check", request.formatted("3.0")))
                        .at("/limits/0/cost")
                        .asInt())
                .isEqualTo(3);
        assertThat(client.post("/v1/check", request.formatted("2e0")).statusCode())
                .isEqualTo(200);
        for (String wrong : List.of("1.5", "-0.5", "1e400", "1e999999999")) {
            assertThat(client.post("/v1/check", request.formatted(wrong)).statusCode())
                    .as(wrong)
                    .isEqualTo(400);
        }
    }

    @Test
    void operationIds_areAllDifferent() {
        assertThat(book.tree().get("paths").properties().stream()
                        .flatMap(path -> book.operationIds(path.getValue()).stream()))
                .doesNotHaveDuplicates()
                .hasSize((int) Stream.of(Place.values())
                        .flatMap(place -> book.operations(place).stream())
                        .distinct()
                        .count());
    }

    @TestFactory
    Stream<DynamicTest> examples_workAsShown() {
        return book.tree().get("paths").properties().stream()
                .filter(path -> path.getValue().has("post")
                        && !path.getValue()
                                .at("/post/requestBody/content/application~1json")
                                .isMissingNode())
                .flatMap(path -> examples(path.getKey(), path.getValue().get("post")));
    }

    private Stream<DynamicTest> examples(String path, JsonNode operation) {
        JsonNode examples =
                operation.at("/requestBody/content/application~1json").get("examples");
        return examples.properties().stream()
                .map(example ->
                        DynamicTest.dynamicTest(path + " " + example.getKey(), () -> send(path, operation, example)));
    }

    private void send(String path, JsonNode operation, Map.Entry<String, JsonNode> example) throws Exception {
        JsonNode request = example.getValue().get("value");
        assertThat(book.wrongRequest(operation, request)).isEmpty();
        try (PenstockServer fresh = PenstockServer.start(TestService.settings(Path.of("../examples/public-api.yaml"))
                .withObserve(ObserveSettings.DEFAULT.withLog(directory.resolve("decisions.jsonl"), 0, 0)))) {
            boolean isOfAdmin = book.operations(Place.ADMIN_PORT).contains("POST " + path);
            ServiceClient client = isOfAdmin ? ServiceClient.ofAdmin(fresh) : new ServiceClient(fresh);
            HttpResponse<String> response = client.post(
                    path.contains("{id}") ? path.replace("{id}", permit(client)) : path, request.toString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            JsonNode shown = book.resolved(operation.get("responses").get("200"))
                    .at("/content/application~1json/examples/" + example.getKey() + "/value");
            if (!shown.isMissingNode() || !isOfAdmin) {
                assertSame(example.getKey(), shown, json(response));
            }
        }
    }

    private String permit(ServiceClient client) throws Exception {
        JsonNode reserve = book.tree()
                .at("/paths/~1v1~1permits/post/requestBody/content/application~1json/examples")
                .properties()
                .iterator()
                .next()
                .getValue()
                .get("value");
        return json(client.post("/v1/permits", reserve.toString()))
                .get("permit")
                .get("id")
                .asText();
    }

    private static void assertSame(String at, JsonNode shown, JsonNode got) {
        assertThat(got.getNodeType()).as(at).isEqualTo(shown.getNodeType());
        if (shown.isContainerNode()) {
            assertThat(got.size()).as("%s: %s", at, got).isEqualTo(shown.size());
        }
        if (shown.isArray()) {
            for (int i = 0; i < shown.size(); i++) {
                assertSame(at + "[" + i + "]", shown.get(i), got.get(i));
            }
        } else if (shown.isObject()) {
            shown.properties().forEach(each -> {
                assertThat(got.has(each.getKey()))
                        .as("%s.%s", at, each.getKey())
                        .isTrue();
                if (!OF_THE_MOMENT.contains(each.getKey())) {
                    assertSame(at + "." + each.getKey(), each.getValue(), got.get(each.getKey()));
                }
            });
        } else {
            assertThat(lasting(got)).as(at).isEqualTo(lasting(shown));
        }
    }

    /** Removes the seconds from header fields. */
    private static String lasting(JsonNode text) {
        return text.asText().replaceAll(";t=[0-9]+", ";t=N");
    }
}
