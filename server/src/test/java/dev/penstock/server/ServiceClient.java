package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * Calls a service over a real socket with the JDK's client, and checks every answer against the OpenAPI description.
 */
final class ServiceClient {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final OpenApiBook BOOK = OpenApiBook.shipped();

    private final String address;
    private final @Nullable Secret token;

    ServiceClient(PenstockServer server) {
        this(server.port());
    }

    ServiceClient(int port) {
        this(port, null);
    }

    private ServiceClient(int port, @Nullable Secret token) {
        this.address = "http://127.0.0.1:" + port;
        this.token = token;
    }

    /** Returns a client of the admin port with the token of the tests. A service without tokens ignores it. */
    static ServiceClient ofAdmin(PenstockServer server) {
        return new ServiceClient(server.adminPort(), TestService.ADMIN_TOKEN);
    }

    HttpRequest.Builder to(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path));
        return token == null ? request : request.header("Authorization", "Bearer " + token.text());
    }

    HttpResponse<String> get(String path) throws Exception {
        return send(to(path));
    }

    /** @param headers names and values, alternating */
    HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = to(path).POST(HttpRequest.BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> response = CLIENT.send(request.build(), new AnswerText());
        assertThat(BOOK.wrongWith(
                        response.request().method(),
                        response.uri().getPath(),
                        response.statusCode(),
                        response.headers().firstValue("content-type").orElse(""),
                        response.body()))
                .as("%s %s: %s", response.request().method(), response.uri(), response.body())
                .isEmpty();
        return response;
    }

    static JsonNode json(HttpResponse<String> response) throws Exception {
        return JSON.readTree(response.body());
    }
}
