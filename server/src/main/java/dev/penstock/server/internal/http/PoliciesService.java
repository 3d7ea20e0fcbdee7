package dev.penstock.server.internal.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyCounts;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyFailure;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.fields.Problem;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code /admin/policies}: which policies are in use, and reading their files again. */
public final class PoliciesService {
    private final PolicyWatch policies;

    public PoliciesService(PolicyWatch policies) {
        this.policies = policies;
    }

    /** {@code GET /admin/policies}. */
    public HttpService state() {
        return (context, request) -> Answers.json(HttpStatus.OK, DecisionJson.bytes(this::write));
    }

    /** {@code POST /admin/policies/reload}: the state after it, or all errors of the files. */
    public HttpService reload() {
        return (context, request) ->
                HttpResponse.of(CompletableFuture.supplyAsync(this::reloaded, context.blockingTaskExecutor()));
    }

    private HttpResponse reloaded() {
        policies.reload();
        PolicyFailure failure = policies.failure();
        return failure == null
                ? Answers.json(HttpStatus.OK, DecisionJson.bytes(this::write))
                : rejected(failure.errors());
    }

    private HttpResponse rejected(List<PolicyError> errors) {
        HttpStatus status = HttpStatus.UNPROCESSABLE_ENTITY;
        String detail =
                "The policy files cannot be used; version " + policies.version().number() + " stays in use.";
        return HttpResponse.of(
                ResponseHeaders.of(status, "content-type", Problem.MEDIA_TYPE, "cache-control", "no-store"),
                DecisionJson.bytes(json -> {
                    json.writeStartObject();
                    json.writeStringField("type", "about:blank");
                    json.writeStringField("title", "Unprocessable Content");
                    json.writeNumberField("status", status.code());
                    json.writeStringField("detail", detail);
                    write(json, errors);
                    json.writeEndObject();
                }));
    }

    private void write(JsonGenerator json) throws IOException {
        Policies inUse = policies.policies();
        PolicyCounts counts = inUse.counts();
        json.writeStartObject();
        json.writeNumberField("version", inUse.version().number());
        json.writeStringField("hash", inUse.version().hash());
        json.writeNumberField("files", counts.files());
        json.writeNumberField("policies", counts.policies());
        json.writeNumberField("limits", counts.limits());
        json.writeNumberField("plans", counts.plans());
        json.writeNumberField("tenants", counts.tenants());
        PolicyFailure failure = policies.failure();
        if (failure != null) {
            json.writeObjectFieldStart("failure");
            json.writeStringField("at", failure.at().toString());
            write(json, failure.errors());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, List<PolicyError> errors) throws IOException {
        json.writeArrayFieldStart("errors");
        for (PolicyError error : errors) {
            json.writeStartObject();
            json.writeStringField("file", error.file());
            json.writeNumberField("line", error.line());
            json.writeNumberField("column", error.column());
            json.writeStringField("path", error.path());
            json.writeStringField("problem", error.problem());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
