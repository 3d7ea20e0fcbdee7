package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Fleet;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /admin/status} and {@code /admin/nodes}: how this node stands, and which others there are. */
public final class StatusService {
    private static final JsonFactory JSON = new JsonFactory();

    /** What is passed on of what other nodes tell of themselves. */
    private static final Set<String> TOLD = Set.of("node", "version", "state", "started_at", "region", "policies");

    private final DecisionJson.Writer status;
    private final Supplier<String> self;
    private final @Nullable Fleet fleet;

    /**
     * @param self what this node tells others of itself, as JSON
     * @param fleet null where no store is shared
     */
    public StatusService(DecisionJson.Writer status, Supplier<String> self, @Nullable Fleet fleet) {
        this.status = status;
        this.self = self;
        this.fleet = fleet;
    }

    /** {@code GET /admin/status}. */
    public HttpService status() {
        return (context, request) -> Answers.json(HttpStatus.OK, DecisionJson.bytes(status));
    }

    /** {@code GET /admin/nodes}: of the fleet, or this one alone where there is none or nobody to ask. */
    public AggregatedService nodes() {
        return (context, request) -> {
            Fleet shared = fleet;
            if (shared == null) {
                return CompletableFuture.completedStage(alone());
            }
            return shared.announcements()
                    .toCompletableFuture()
                    .copy()
                    .orTimeout(Ask.USUAL_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
                    .handle((told, failure) -> failure == null ? nodes("store", told, shared.self()) : alone());
        };
    }

    private HttpResponse alone() {
        return nodes("this_node", Map.of("", self.get()), "");
    }

    private static HttpResponse nodes(String from, Map<String, String> introductions, String own) {
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("from", from);
            json.writeArrayFieldStart("nodes");
            for (Map.Entry<String, String> each : introductions.entrySet()) {
                json.writeStartObject();
                json.writeBooleanField("this", each.getKey().equals(own));
                write(json, each.getValue());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }

    /** A node of another version may tell other things, or nothing. */
    private static void write(JsonGenerator json, String introduction) throws IOException {
        Map<String, String> told = new TreeMap<>();
        try (JsonParser parser = JSON.createParser(introduction)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String word = parser.currentName();
                    if (parser.nextToken() == JsonToken.VALUE_STRING && TOLD.contains(word)) {
                        told.put(word, parser.getText());
                    }
                    parser.skipChildren();
                }
            }
        } catch (IOException e) {
            told.clear();
        }
        for (Map.Entry<String, String> each : told.entrySet()) {
            json.writeStringField(each.getKey(), each.getValue());
        }
    }
}
