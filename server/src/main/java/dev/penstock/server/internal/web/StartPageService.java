package dev.penstock.server.internal.web;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.spi.PolicyVersion;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * {@code /assets/start.json}: the data of the start page, which are example attributes from the policies in use and the
 * address of the console. Thread-safe.
 */
public final class StartPageService implements AggregatedService {
    private final PolicyWatch policies;
    private final Console console;
    private volatile @Nullable Example last;

    /** Examples are kept until the policies change. */
    private record Example(PolicyVersion version, Map<String, String> attributes) {}

    /**
     * The address of the console.
     *
     * @param host the host that the admin port listens on
     * @param isLocal true if only this machine can reach it
     * @param isTls true if the admin port uses TLS
     */
    public record Console(String host, int port, boolean isLocal, boolean isTls) {}

    public StartPageService(PolicyWatch policies, Console console) {
        this.policies = policies;
        this.console = console;
    }

    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request) {
        return CompletableFuture.supplyAsync(this::answer, context.blockingTaskExecutor());
    }

    private HttpResponse answer() {
        Map<String, String> attributes = attributes();
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeObjectFieldStart("attributes");
            for (Map.Entry<String, String> each : attributes.entrySet()) {
                json.writeStringField(each.getKey(), each.getValue());
            }
            json.writeEndObject();
            json.writeObjectFieldStart("console");
            json.writeStringField("host", console.host);
            json.writeNumberField("port", console.port);
            json.writeBooleanField("local", console.isLocal);
            json.writeBooleanField("tls", console.isTls);
            json.writeEndObject();
            json.writeEndObject();
        }));
    }

    private Map<String, String> attributes() {
        Policies inUse = policies.policies();
        Example known = last;
        if (known == null || !known.version.equals(inUse.version())) {
            known = new Example(inUse.version(), ExampleAttributes.of(inUse));
            last = known;
        }
        return known.attributes;
    }
}
