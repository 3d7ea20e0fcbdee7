package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages as a browser loads them. */
class WebPagesIT {
    private static final Pattern USED = Pattern.compile("(?:href|src)=\"([^\"#]+)\"|from '([^']+)'");

    private PenstockServer server;
    private ServiceClient client;
    private ServiceClient admin;

    @BeforeEach
    void start() throws Exception {
        server = PenstockServer.start(TestService.settings(Path.of("../examples/public-api.yaml"))
                .withTokens(List.of(new Secret("a-token-of-the-tests"))));
        client = new ServiceClient(server);
        admin = ServiceClient.ofAdmin(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/docs"})
    void page_usesNothingButThisService(String path) throws Exception {
        assertUsesNothingElse(client, path, "/assets/", new TreeSet<>());
    }

    /** The files contain no data, so they need no token, and any site may link to them. */
    @Test
    void console_usesNothingButThisService_andAnySiteMayLinkToIt() throws Exception {
        Set<String> seen = new TreeSet<>();
        assertUsesNothingElse(admin, "/console", "/console/", seen);

        assertThat(seen).contains("/console/chart.umd.min.js", "/console/now.js", "/console/why.js");
        assertThat(admin.send(admin.to("/console").header("sec-fetch-site", "cross-site"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(admin.get("/").headers().firstValue("location")).contains("/console");
        assertThat(admin.get("/console/nothing.js").statusCode()).isEqualTo(404);
    }

    /** Checks a page and everything it loads. Third-party libraries may contain addresses. */
    private static void assertUsesNothingElse(ServiceClient client, String path, String folder, Set<String> seen)
            throws Exception {
        if (!seen.add(path)) {
            return;
        }
        HttpResponse<String> page = client.send(client.to(path).version(HttpClient.Version.HTTP_1_1));

        assertThat(page.statusCode()).as(path).isEqualTo(200);
        assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
                .contains("default-src 'none'")
                .contains("connect-src 'self'")
                .doesNotContain("unsafe")
                .doesNotContain("http");
        assertThat(page.headers().firstValue("x-content-type-options")).contains("nosniff");
        if (path.matches(".*[.](min[.]js|svg|json)")) {
            return;
        }
        assertThat(page.body().toLowerCase(Locale.ROOT))
                .as(path)
                .doesNotContain("http://")
                .doesNotContain("https://")
                .doesNotContain("style=")
                .doesNotContain("innerhtml")
                .doesNotContain("document.write")
                .doesNotContain("eval(");
        for (MatchResult used : USED.matcher(page.body()).results().toList()) {
            String target = used.group(1) != null
                    ? used.group(1)
                    : folder + used.group(2).substring(2);
            if (target.startsWith("/health")) {
                assertThat(client.get(target).statusCode()).as(target).isEqualTo(200);
            } else {
                assertUsesNothingElse(client, target, folder, seen);
            }
        }
    }

    @Test
    void startData_hasAttributesFromThePolicies_andTheConsole() throws Exception {
        String withToken = client.send(
                        client.to("/assets/start.json").header("Authorization", "Bearer a-token-of-the-tests"))
                .body();

        JsonNode data = new ObjectMapper().readTree(withToken);
        assertThat(data.at("/attributes/route").asText()).isEqualTo("/v1/users/7");
        assertThat(data.at("/attributes/user").asText()).isEqualTo("alice");
        assertThat(data.at("/console/port").asInt()).isEqualTo(server.adminPort());
        assertThat(data.at("/console/local").asBoolean()).isTrue();
        assertThat(client.get("/assets/start.json").statusCode()).isEqualTo(401);
    }

    @Test
    void page_unchanged_isNotSentAgain() throws Exception {
        String tag = client.get("/").headers().firstValue("etag").orElseThrow();

        assertThat(client.send(client.to("/").header("If-None-Match", tag)).statusCode())
                .isEqualTo(304);
        HttpResponse<String> head = client.send(client.to("/").method("HEAD", HttpRequest.BodyPublishers.noBody()));
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/assets/none.js", "/nothing/here"})
    void unknownPath_isAProblem(String path) throws Exception {
        HttpResponse<String> response = client.get(path);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    }
}
