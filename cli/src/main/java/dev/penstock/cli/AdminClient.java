package dev.penstock.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Calls the admin port of a service. Every failure becomes a message of one line. */
final class AdminClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TO_CONNECT = Duration.ofSeconds(5);
    private static final Duration TO_ANSWER = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofHours(1);

    private final HttpClient client;
    private final URI service;
    private final @Nullable String token;

    /**
     * Creates a client.
     *
     * @param token null to send none
     * @param tls the certificates to trust for https; null for those that Java trusts
     */
    AdminClient(URI service, @Nullable String token, @Nullable SSLContext tls) {
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TO_CONNECT);
        this.client = (tls == null ? builder : builder.sslContext(tls)).build();
        this.service = service;
        this.token = token;
    }

    JsonNode get(String path) throws Failure {
        return answer(request(path).timeout(TO_ANSWER).GET());
    }

    JsonNode post(String path, String body) throws Failure {
        return answer(request(path).timeout(TO_ANSWER).POST(BodyPublishers.ofString(body)));
    }

    /** Posts a request that may take long. */
    JsonNode postPatiently(String path, String body) throws Failure {
        return answer(request(path).timeout(PATIENCE).POST(BodyPublishers.ofString(body)));
    }

    /** Passes on the lines of an endless answer for as long as they are wanted. */
    void lines(String path, Predicate<String> isWantedStill) throws Failure {
        try {
            HttpResponse<Stream<String>> response = client.send(
                    request(path).version(HttpClient.Version.HTTP_1_1).GET().build(), BodyHandlers.ofLines());
            try (Stream<String> lines = response.body()) {
                if (response.statusCode() != 200) {
                    throw refused(response.statusCode(), json(lines.collect(Collectors.joining())));
                }
                if (lines.allMatch(isWantedStill)) {
                    throw new Failure(service + ": the service is shutting down");
                }
            }
        } catch (UncheckedIOException e) { // thrown in the middle of the lines
            throw broken(new IOException("the connection broke"));
        } catch (IOException e) {
            throw broken(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(service + ": interrupted");
        }
    }

    private HttpRequest.Builder request(String path) throws Failure {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.resolve(path));
        try {
            return token == null ? request : request.header("authorization", "Bearer " + token);
        } catch (IllegalArgumentException e) { // its message would contain the token
            throw new Failure("the token cannot be sent (expected: visible ASCII characters)");
        }
    }

    private JsonNode answer(HttpRequest.Builder request) throws Failure {
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            JsonNode body = json(response.body());
            if (response.statusCode() == 200 && body.isObject()) {
                return body;
            }
            throw refused(response.statusCode(), body);
        } catch (IOException e) {
            throw broken(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(service + ": interrupted");
        }
    }

    private Failure broken(IOException failure) {
        if (failure instanceof ConnectException) {
            return new Failure(service + ": no answer (expected: the admin port of a running service)");
        } else if (failure instanceof HttpTimeoutException) {
            return new Failure(service + ": no answer in time");
        }
        return new Failure(
                service + ": " + (failure.getMessage() == null ? "the connection broke" : failure.getMessage()));
    }

    /** Parses JSON; returns a missing node if it is invalid. */
    static JsonNode json(String body) {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            return JSON.missingNode();
        }
    }

    private Failure refused(int status, JsonNode problem) {
        String detail = problem.path("detail").asText();
        if (status == 401) {
            String what = token == null ? "the service requires a token" : "the service does not know the token";
            return new Failure(service + ": " + what + " (expected: a token in --token or " + AdminOptions.TOKEN + ")");
        } else if (status == 404 || detail.isEmpty()) {
            return new Failure(
                    service + ": answered with status " + status + " (expected: the admin port of a service)");
        }
        JsonNode errors = problem.path("errors");
        if (errors.isEmpty()) {
            return new Failure(detail);
        }
        String more = errors.size() == 1 ? "" : " (and " + (errors.size() - 1) + " more: try penstock admin policies)";
        return new Failure(detail + " " + AdminPoliciesCommand.text(errors.get(0)) + more);
    }
}
