package dev.penstock.bench.soak.hostile;

import java.nio.charset.StandardCharsets;
import java.util.Collections;

/** HTTP/1.1 requests and their bodies as text. */
final class HttpRequests {
    private HttpRequests() {}

    /** Returns a body whose attributes match the policy of a kind. */
    static String body(String kind, String user) {
        return body(kind, user, "");
    }

    /**
     * Returns a body with additional members.
     *
     * @param more the members, each with a comma before it
     */
    static String body(String kind, String user, String more) {
        return "{\"attributes\":{\"kind\":\"" + kind + "\",\"user\":\"" + user + "\"}" + more + "}";
    }

    /** Returns a JSON list that repeats one body. */
    static String list(int size, String body) {
        return "[" + String.join(",", Collections.nCopies(size, body)) + "]";
    }

    static String post(String path, String body) {
        return post(path, body, "");
    }

    /**
     * Returns a POST request.
     *
     * @param headers additional header lines, each with its line end
     */
    static String post(String path, String body, String headers) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + headers
                + "Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    static String get(String path, String headers) {
        return "GET " + path + " HTTP/1.1\r\n" + headers + "\r\n";
    }
}
