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
 * {@code /health/ready}: whether requests are to be sent here, and why not.
 *
 * <p>Only a service that ends is not ready. A store that is away or policies that cannot be loaded are told as notes: each
 * decision is still made, as the policies in use say, and taking all nodes out at once would help nobody.
 */
public final class HealthService extends AbstractHttpService {
    private final Supplier<@Nullable String> whyNot;
    private final Supplier<List<String>> notes;

    /**
     * @param whyNot why requests are not to be sent here; null if they are
     * @param notes what does not stop it from serving, and still should be known
     */
    public HealthService(Supplier<@Nullable String> whyNot, Supplier<List<String>> notes) {
        this.whyNot = whyNot;
        this.notes = notes;
    }

    /** {@code /health/live}: always, while there is anybody to answer. */
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
