package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.observe.MissingAttribute;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.DecisionJson;
import java.util.List;
import java.util.function.Supplier;

/** {@code GET /admin/missing}: returns how many requests of this node lacked an attribute that a policy counts by. */
public final class MissingAttributesService implements HttpService {
    private final Supplier<List<MissingAttribute>> counts;
    private final Supplier<String> node;

    /** @param node returns the name of this node */
    public MissingAttributesService(Supplier<List<MissingAttribute>> counts, Supplier<String> node) {
        this.counts = counts;
        this.node = node;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("node", node.get());
            json.writeArrayFieldStart("missing");
            for (MissingAttribute each : counts.get()) {
                if (each.missing() > 0) {
                    json.writeStartObject();
                    json.writeStringField("policy", each.policy());
                    json.writeStringField("attribute", each.attribute());
                    json.writeNumberField("requests", each.requests());
                    json.writeNumberField("missing", each.missing());
                    json.writeEndObject();
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }
}
