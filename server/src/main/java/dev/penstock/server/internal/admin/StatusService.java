package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import dev.penstock.internal.StageTimeouts;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /admin/status} and {@code /admin/nodes}: returns the state of this node and the list of nodes. */
public final class StatusService {
    private static final JsonFactory JSON = new JsonFactory();

    /** The fields that are passed on from the introductions of other nodes. */
    private static final Set<String> SHOWN = Set.of("node", "version", "state", "started_at", "region", "policies");

    private final DecisionJson.Writer status;
    private final Supplier<String> self;
    private final @Nullable Fleet fleet;

    /**
     * @param self returns the introduction of this node for other nodes, as JSON
     * @param fleet the nodes that share a store; null if there is no shared store
     */
    public StatusService(DecisionJson.Writer status, Supplier<String> self, @Nullable Fleet fleet) {
        this.status = status;
        this.self = self;
        this.fleet = fleet;
    }

    /** {@code GET /admin/status}: returns the state of this node. */
    public HttpService status() {
        return (context, request) -> Answers.json(HttpStatus.OK, DecisionJson.bytes(status));
    }

    /**
     * {@code GET /admin/nodes}: returns the nodes of the fleet, or only this one if there is no fleet or the store does
     * not answer.
     */
    public AggregatedService nodes() {
        return (context, request) -> {
            Fleet shared = fleet;
            if (shared == null) {
                return CompletableFuture.completedStage(alone());
            }
            return StageTimeouts.SYSTEM
                    .within(Ask.USUAL_TIMEOUT, shared.announcements())
                    .handle((notes, failure) -> failure == null ? nodes("store", notes, shared.self()) : alone());
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

    /** Writes the known fields. A node of another version may send other fields, or none. */
    private static void write(JsonGenerator json, String introduction) throws IOException {
        Map<String, String> fields = new TreeMap<>();
        try (JsonParser parser = JSON.createParser(introduction)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String word = parser.currentName();
                    if (parser.nextToken() == JsonToken.VALUE_STRING && SHOWN.contains(word)) {
                        fields.put(word, parser.getText());
                    }
                    parser.skipChildren();
                }
            }
        } catch (IOException e) {
            fields.clear();
        }
        for (Map.Entry<String, String> each : fields.entrySet()) {
            json.writeStringField(each.getKey(), each.getValue());
        }
    }
}
