package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.DecisionJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** {@code GET /admin/audit}: returns the last changes, newest first. */
public final class AuditService implements AggregatedService {
    private static final int MOST = 1_000;
    private static final int USUAL = 100;

    private final AuditLog log;

    public AuditService(AuditLog log) {
        this.log = log;
    }

    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        int limit = Query.of(context, "limit").number("limit", MOST, USUAL);
        return CompletableFuture.supplyAsync(() -> newest(limit), context.blockingTaskExecutor())
                .thenApply(this::answer);
    }

    private List<AuditEntry> newest(int limit) {
        try {
            return log.newest(limit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpResponse answer(List<AuditEntry> newest) {
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeBooleanField("written", log.isOn());
            json.writeArrayFieldStart("changes");
            for (AuditEntry entry : newest) {
                entry.write(json);
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }
}
