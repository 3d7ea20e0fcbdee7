package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.AbstractHttpService;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.healthcheck.HealthChecker;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code /health/ready}: whether requests are to be sent here, and why not.
 *
 * <p>Only a service that ends is not ready. A store that is away or policies that cannot be loaded are told as notes: each
 * decision is still made, as the policies in use say, and taking all nodes out at once would help nobody.
 */
public final class HealthService extends AbstractHttpService {
    private final HealthChecker readiness;
    private final Supplier<List<String>> notes;

    /** @param notes what does not stop it from serving, and still should be known */
    public HealthService(HealthChecker readiness, Supplier<List<String>> notes) {
        this.readiness = readiness;
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
        boolean ready = readiness.isHealthy();
        return Answers.json(ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("status", ready ? "ready" : "not ready");
            if (!ready) {
                json.writeStringField("reason", "the service ends: it finishes what is under way");
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
