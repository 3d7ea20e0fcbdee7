package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.policy.Candidates;
import dev.penstock.policy.Candidates.Comparison;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.DecisionJson;
import java.util.Map;
import java.util.function.Supplier;

/** {@code GET /admin/candidates}: returns how the candidates of this node compare with their live policies. */
public final class CandidatesService implements HttpService {
    private final PolicyWatch policies;
    private final Candidates candidates;
    private final Supplier<String> node;

    /** @param node returns the name of this node */
    public CandidatesService(PolicyWatch policies, Candidates candidates, Supplier<String> node) {
        this.policies = policies;
        this.candidates = candidates;
        this.node = node;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("node", node.get());
            json.writeArrayFieldStart("candidates");
            for (Map.Entry<String, String> each :
                    policies.policies().candidates().entrySet()) {
                Comparison all = candidates.comparison(each.getKey(), each.getValue());
                json.writeStartObject();
                json.writeStringField("policy", each.getKey());
                json.writeStringField("candidate_of", each.getValue());
                json.writeNumberField("compared", all.compared());
                json.writeNumberField("same", all.same());
                json.writeNumberField("stricter", all.stricter());
                json.writeNumberField("looser", all.looser());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }
}
