package dev.penstock.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyCounts;
import java.io.IOException;

/** Writes the counts of a policy check as JSON, for the admin API and {@code penstock validate}. */
public final class PolicyCheckJson {
    private PolicyCheckJson() {}

    /** Writes the counts into the open object. */
    public static void write(JsonGenerator json, Policies policies) throws IOException {
        PolicyCounts counts = policies.counts();
        json.writeNumberField("files", counts.files());
        json.writeNumberField("policies", counts.policies());
        json.writeNumberField("limits", counts.limits());
        json.writeNumberField("plans", counts.plans());
        json.writeNumberField("tenants", counts.tenants());
        json.writeStringField("hash", policies.version().hash());
        PolicyErrorJson.write(json, "notes", policies.notes());
    }
}
