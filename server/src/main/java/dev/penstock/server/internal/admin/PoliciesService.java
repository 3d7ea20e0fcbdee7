package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyFailure;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.policy.envoy.EnvoyRulesWatch;
import dev.penstock.server.internal.admin.Changes.Change;
import dev.penstock.server.internal.admin.Changes.Outcome;
import dev.penstock.server.internal.fields.Problem;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.server.json.PolicyCheckJson;
import dev.penstock.server.json.PolicyErrorJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code /admin/policies}: shows the policies and Envoy rules in use, and reloads their files. */
public final class PoliciesService {
    private final PolicyWatch policies;
    private final @Nullable EnvoyRulesWatch rules;
    private final Changes changes;

    /** @param rules the rules for Envoy; null if the policies decide Envoy's requests */
    public PoliciesService(PolicyWatch policies, @Nullable EnvoyRulesWatch rules, Changes changes) {
        this.policies = policies;
        this.rules = rules;
        this.changes = changes;
    }

    /** {@code GET /admin/policies}: returns the state of the policies. */
    public HttpService state() {
        return (context, request) -> inUse();
    }

    private HttpResponse inUse() {
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(this::write));
    }

    /** {@code POST /admin/policies/reload}: returns the new state, or all errors of the files. */
    public HttpService reload() {
        return changes.service((context, request) ->
                new Change("policies.reload", null, () -> CompletableFuture.completedStage(reloaded())));
    }

    private Outcome reloaded() {
        policies.reload();
        List<String> details = new ArrayList<>();
        List<PolicyError> errors = new ArrayList<>();
        PolicyFailure failure = policies.failure();
        if (failure != null) {
            details.add("The policy files cannot be used; version "
                    + policies.version().number() + " stays in use.");
            errors.addAll(failure.errors());
        }
        if (rules != null) {
            rules.reload();
            PolicyFailure ofRules = rules.failure();
            if (ofRules != null) {
                details.add("The files of envoy.rules cannot be used; version "
                        + rules.rules().version().number() + " stays in use.");
                errors.addAll(ofRules.errors());
            }
        }
        return details.isEmpty()
                ? new Outcome("version " + policies.version().number(), inUse())
                : new Outcome("rejected", rejected(String.join(" ", details), errors));
    }

    private static HttpResponse rejected(String detail, List<PolicyError> errors) {
        HttpStatus status = HttpStatus.UNPROCESSABLE_ENTITY;
        return HttpResponse.of(
                ResponseHeaders.of(status, "content-type", Problem.MEDIA_TYPE, "cache-control", "no-store"),
                DecisionJson.bytes(json -> {
                    json.writeStartObject();
                    json.writeStringField("type", "about:blank");
                    json.writeStringField("title", "Unprocessable Content");
                    json.writeNumberField("status", status.code());
                    json.writeStringField("detail", detail);
                    PolicyErrorJson.write(json, "errors", errors);
                    json.writeEndObject();
                }));
    }

    private void write(JsonGenerator json) throws IOException {
        Policies inUse = policies.policies();
        json.writeStartObject();
        json.writeNumberField("version", inUse.version().number());
        PolicyCheckJson.write(json, inUse);
        write(json, policies.failure(), policies.failures());
        if (rules != null) {
            EnvoyRules ofEnvoy = rules.rules();
            json.writeObjectFieldStart("envoy_rules");
            json.writeNumberField("version", ofEnvoy.version().number());
            json.writeStringField("hash", ofEnvoy.version().hash());
            json.writeNumberField("domains", ofEnvoy.domains().size());
            json.writeNumberField("rules", ofEnvoy.size());
            write(json, rules.failure(), rules.failures());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /**
     * @param present why the files cannot be used now; null if they can
     * @param past all failures that this node remembers
     */
    private static void write(JsonGenerator json, @Nullable PolicyFailure present, List<PolicyFailure> past)
            throws IOException {
        if (present != null) {
            json.writeFieldName("failure");
            PolicyErrorJson.write(json, present);
        }
        json.writeArrayFieldStart("failures");
        for (PolicyFailure each : past) {
            PolicyErrorJson.write(json, each);
        }
        json.writeEndArray();
    }
}
