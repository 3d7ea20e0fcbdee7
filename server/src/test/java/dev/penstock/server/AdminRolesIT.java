package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.Route;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The roles of tokens on the admin port. */
class AdminRolesIT {
    private static final Secret ANN = new Secret("the-token-of-ann-who-may-all");
    private static final Secret BOB = new Secret("the-token-of-bob-who-may-look");

    /** Calls that change nothing although they use POST. */
    private static final Set<String> LOOKS = Set.of("/admin/keys/show", "/admin/explain", "/admin/policies/check");

    @TempDir
    Path directory;

    private TestService service;

    @BeforeEach
    void start() throws Exception {
        service = TestService.start(
                directory,
                settings -> settings.withAdmin(settings.admin()
                        .withAudit(directory.resolve("audit.jsonl"))
                        .withTokens(List.of(
                                new AdminToken("ann", AdminToken.Role.WRITE, ANN),
                                new AdminToken("bob", AdminToken.Role.READ, BOB)))));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private HttpResponse<String> send(HttpMethod method, String path, String token) throws Exception {
        return service.send(TestService.to(service.server().adminPort(), path)
                .header("authorization", "Bearer " + token)
                .method(method.name(), BodyPublishers.ofString("{}")));
    }

    /** Returns true for paths without a token: health, and the console's files, which contain no data. */
    private static boolean isForEverybody(String path) {
        return path.equals("/") || path.startsWith("/health") || path.startsWith("/console");
    }

    /** Checks every route, so that none is forgotten. */
    @Test
    void readTokens_mayReadEverything_andChangeNothing() throws Exception {
        for (Route route : service.server().adminRoutes()) {
            String path = route.patternString();
            for (HttpMethod method : route.methods()) {
                boolean looks = method != HttpMethod.POST || LOOKS.contains(path);
                String asked = path.startsWith("/console") ? "/console" : path.replaceAll("[:{][a-z]+}?", "x");
                int status = send(method, asked, BOB.text()).statusCode();
                if (isForEverybody(path)) {
                    assertThat(status).isIn(200, 307);
                } else if (looks) {
                    assertThat(status).as("%s %s", method, path).isIn(200, 400);
                } else {
                    assertThat(status).as("%s %s", method, path).isEqualTo(403);
                }
            }
        }
    }

    @Test
    void changeWithAReadToken_isRefusedWithAReason() throws Exception {
        service.write(TestService.POLICIES.replace("3/h", "50/h"));
        HttpResponse<String> refused = send(HttpMethod.POST, "/admin/policies/reload", BOB.text());

        assertThat(refused.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(TestService.json(refused).get("detail").asText())
                .isEqualTo("The token bob is read-only (expected: a token with full access).");
        assertThat(TestService.json(send(HttpMethod.GET, "/admin/audit", BOB.text()))
                        .get("changes"))
                .isEmpty();
    }

    @Test
    void unknownTokens_areRefused() throws Exception {
        for (Route route : service.server().adminRoutes()) {
            String path = route.patternString();
            HttpMethod method = route.methods().iterator().next();
            if (!isForEverybody(path)) {
                assertThat(send(method, path, "a-token-that-nobody-has").statusCode())
                        .as(path)
                        .isEqualTo(401);
            }
        }
    }

    @Test
    void changes_areRecorded_underTheNameOfTheToken() throws Exception {
        assertThat(send(HttpMethod.POST, "/admin/policies/reload", ANN.text()).statusCode())
                .isEqualTo(200);
        JsonNode change = TestService.json(send(HttpMethod.GET, "/admin/audit", BOB.text()))
                .get("changes")
                .get(0);

        assertThat(change.get("who").asText()).isEqualTo("ann");
        assertThat(change.get("from").asText()).isEqualTo("127.0.0.1");
        assertThat(change.get("what").asText()).isEqualTo("policies.reload");
        assertThat(change.get("result").asText()).isEqualTo("version 1");
    }
}
