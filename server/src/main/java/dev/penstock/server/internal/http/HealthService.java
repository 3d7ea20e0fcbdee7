package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.AbstractHttpService;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /health/ready}: reports whether this node should get requests, and if not, why.
 *
 * <p>A service is not ready only while it warms up or shuts down. An unavailable store and policy files with errors are
 * reported as notes: the policies in use still decide every request, and taking all nodes out of service at once would
 * help nobody.
 */
public final class HealthService extends AbstractHttpService {
    private final Supplier<@Nullable String> whyNot;
    private final Supplier<List<String>> notes;

    /**
     * @param whyNot returns why the node should not get requests, or null if it should
     * @param notes returns problems that do not stop the node from serving
     */
    public HealthService(Supplier<@Nullable String> whyNot, Supplier<List<String>> notes) {
        this.whyNot = whyNot;
        this.notes = notes;
    }

    /** {@code /health/live}: always answers 200 while the process serves requests. */
    public static HttpService live() {
        return (context, request) -> Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("status", "live");
            json.writeEndObject();
        }));
    }

    @Override
    protected HttpResponse doHead(ServiceRequestContext context, HttpRequest request) {
        return doGet(context, request);
    }

    @Override
    protected HttpResponse doGet(ServiceRequestContext context, HttpRequest request) {
        String reason = whyNot.get();
        boolean ready = reason == null;
        return Answers.json(ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("status", ready ? "ready" : "not ready");
            if (!ready) {
                json.writeStringField("reason", reason);
            }
            json.writeArrayFieldStart("notes");
            for (String note : notes.get()) {
                json.writeString(note);
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }
}
