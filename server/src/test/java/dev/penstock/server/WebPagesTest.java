package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages as a browser fetches them. */
class WebPagesTest {
    private static final Pattern USED = Pattern.compile("(?:href|src)=\"([^\"#]+)\"|from '([^']+)'");

    private PenstockServer server;
    private ServiceClient client;

    @BeforeEach
    void start() throws Exception {
        server = PenstockServer.start(TestService.settings(Path.of("../examples/public-api.yaml"))
                .withTokens(List.of(new Secret("a-token-of-the-tests"))));
        client = new ServiceClient(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/docs", "/assets/start.js", "/assets/docs.js", "/assets/common.js", "/assets/pages.css"})
    void page_usesNothingButThisService(String path) throws Exception {
        HttpResponse<String> page = client.get(path);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
                .contains("default-src 'none'")
                .contains("connect-src 'self'")
                .doesNotContain("unsafe")
                .doesNotContain("http");
        assertThat(page.headers().firstValue("x-content-type-options")).contains("nosniff");
        assertThat(page.body().toLowerCase(Locale.ROOT))
                .doesNotContain("http://")
                .doesNotContain("https://")
                .doesNotContain("style=")
                .doesNotContain("innerhtml");
        for (MatchResult used : USED.matcher(page.body()).results().toList()) {
            String target = used.group(1) != null
                    ? used.group(1)
                    : "/assets/" + used.group(2).substring(2);
            assertThat(client.get(target).statusCode()).as(target).isEqualTo(200);
        }
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
    void whatIsNotThere_isAProblem(String path) throws Exception {
        HttpResponse<String> response = client.get(path);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    }
}
