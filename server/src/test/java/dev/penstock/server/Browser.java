package dev.penstock.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A page in a real Chromium, driven by its own protocol over a socket: no driver has to be fetched. */
final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();

    private Browser(Process process, String address) {
        this.process = process;
        this.socket = CLIENT.newWebSocketBuilder()
                .buildAsync(URI.create(address), new Listener())
                .join();
        call("Network.enable");
        call("Log.enable");
        call("Runtime.enable");
        call("Page.enable");
    }

    /** Where there is one: that of {@code -Dpenstock.chromium}, or one in its usual place. */
    static Optional<Path> installed() {
        return Stream.of(
                        System.getProperty("penstock.chromium", ""),
                        "/usr/bin/chromium",
                        "/usr/bin/chromium-browser",
                        "/usr/bin/google-chrome")
                .filter(path -> !path.isEmpty())
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Browser start(Path program, Path profile) throws Exception {
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-background-networking",
                        "--window-size=1200,1000",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Path told = profile.resolve("DevToolsActivePort");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(told) && !Files.readString(told).isEmpty());
            String port = Files.readAllLines(told).get(0);
            HttpRequest pages = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
                    .PUT(HttpRequest.BodyPublishers.noBody())
                    .build();
            String page =
                    CLIENT.send(pages, HttpResponse.BodyHandlers.ofString()).body();
            return new Browser(
                    process, JSON.readTree(page).get("webSocketDebuggerUrl").asText());
        } catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
    }

    void open(String address) {
        ObjectNode where = JSON.createObjectNode().put("url", address);
        call("Page.navigate", where);
    }

    /** The value of an expression in the page. */
    JsonNode value(String expression) {
        ObjectNode asked = JSON.createObjectNode()
                .put("expression", expression)
                .put("awaitPromise", true)
                .put("returnByValue", true);
        JsonNode answer = call("Runtime.evaluate", asked);
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(answer.get("exceptionDetails").toString());
        }
        return answer.get("result").path("value");
    }

    /** Waits until an expression is true in the page. */
    void until(String expression) {
        Awaitility.await(expression)
                .atMost(PATIENCE)
                .until(() -> value("Boolean(" + expression + ")").asBoolean());
    }

    void prefer(String colours) {
        ObjectNode feature =
                JSON.createObjectNode().put("name", "prefers-color-scheme").put("value", colours);
        ObjectNode asked = JSON.createObjectNode();
        asked.putArray("features").add(feature);
        call("Emulation.setEmulatedMedia", asked);
    }

    void picture(Path file) throws IOException {
        JsonNode taken = call("Page.captureScreenshot", JSON.createObjectNode().put("captureBeyondViewport", true));
        Files.write(file, Base64.getDecoder().decode(taken.get("data").asText()));
    }

    /** What was fetched since the start. */
    List<String> fetched() {
        return events.stream()
                .filter(event -> event.path("method").asText().equals("Network.requestWillBeSent"))
                .map(event -> event.at("/params/request/url").asText())
                .toList();
    }

    /** What the page did wrong: exceptions, and what its security policy forbids. */
    List<String> complaints() {
        return events.stream()
                .filter(event -> event.path("method").asText().equals("Runtime.exceptionThrown")
                        || (event.path("method").asText().equals("Log.entryAdded")
                                && event.at("/params/entry/source").asText().equals("security")))
                .map(JsonNode::toString)
                .toList();
    }

    private JsonNode call(String method) {
        return call(method, JSON.createObjectNode());
    }

    private JsonNode call(String method, ObjectNode parameters) {
        int id = calls.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", parameters);
        socket.sendText(message.toString(), true).join();
        JsonNode got = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        if (got.has("error")) {
            throw new IllegalStateException(method + ": " + got.get("error"));
        }
        return got.get("result");
    }

    /** Ends the browser, which clears up behind itself where it does not take too long over it. */
    @Override
    public void close() {
        socket.abort();
        process.destroy();
        process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        process.destroyForcibly().onExit().join();
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            from.request(1);
            if (last) {
                take(text.toString());
                text.setLength(0);
            }
            return null;
        }

        private void take(String message) {
            try {
                JsonNode read = JSON.readTree(message);
                CompletableFuture<JsonNode> asked =
                        waiting.remove(read.path("id").asInt());
                if (asked == null) {
                    events.add(read);
                } else {
                    asked.complete(read);
                }
            } catch (IOException e) {
                throw new IllegalStateException(message, e);
            }
        }
    }
}
