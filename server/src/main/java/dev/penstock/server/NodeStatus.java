package dev.penstock.server;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.Clock;
import dev.penstock.engine.EngineStack;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyFailure;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.server.json.PolicyErrorJson;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the status of a node: in full for operators, and in short for the other nodes. Thread-safe. */
final class NodeStatus {
    private final NodeEngine engine;
    private final PolicyWatch policies;
    private final NodeState state;
    private final Readiness readiness;
    private final @Nullable String region;
    private final String version = BuildVersion.text();
    private final Instant startedAt;
    private volatile String name = "";

    NodeStatus(
            NodeEngine engine,
            PolicyWatch policies,
            NodeState state,
            Readiness readiness,
            @Nullable String region,
            Clock clock) {
        this.engine = engine;
        this.policies = policies;
        this.state = state;
        this.readiness = readiness;
        this.region = region;
        this.startedAt = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
    }

    /** Sets the name of the node, once its ports are open. */
    void opened(String other) {
        name = other;
    }

    String name() {
        return name;
    }

    /** Returns the short form, which is announced to the other nodes. */
    String introduction() {
        return DecisionJson.bytes(json -> {
                    json.writeStartObject();
                    writeSelf(json);
                    json.writeStringField("policies", policies.version().hash());
                    json.writeEndObject();
                })
                .toStringUtf8();
    }

    private void writeSelf(JsonGenerator json) throws IOException {
        json.writeStringField("node", name);
        json.writeStringField("version", version);
        json.writeStringField("state", readiness.word());
        json.writeStringField("started_at", startedAt.toString());
        if (region != null) {
            json.writeStringField("region", region);
        }
    }

    /** Writes the full form. */
    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        writeSelf(json);
        writePolicies(json);
        writeStore(json);
        json.writeObjectFieldStart("ports");
        for (Map.Entry<String, Integer> port : state.ports().entrySet()) {
            json.writeNumberField(port.getKey(), port.getValue());
        }
        json.writeEndObject();
        json.writeArrayFieldStart("notes");
        for (String note : state.notes()) {
            json.writeString(note);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writePolicies(JsonGenerator json) throws IOException {
        Policies inUse = policies.policies();
        json.writeObjectFieldStart("policies");
        json.writeNumberField("version", inUse.version().number());
        json.writeStringField("hash", inUse.version().hash());
        json.writeStringField("loaded_at", inUse.loadedAt().toString());
        PolicyFailure failure = policies.failure();
        if (failure != null) {
            json.writeFieldName("failure");
            PolicyErrorJson.write(json, failure);
        }
        json.writeEndObject();
    }

    private void writeStore(JsonGenerator json) throws IOException {
        EngineStack stack = engine.stack();
        Instant since = stack == null ? null : stack.guard().fallbackSince();
        json.writeObjectFieldStart("store");
        json.writeStringField("name", engine.engine().name());
        json.writeBooleanField("shared", stack != null);
        json.writeBooleanField("up", since == null);
        if (since != null) {
            json.writeStringField("in_fallback_since", since.toString());
        }
        List<String> shards = engine.shardsAway();
        if (!shards.isEmpty()) {
            json.writeArrayFieldStart("shards_away");
            for (String shard : shards) {
                json.writeString(shard);
            }
            json.writeEndArray();
        }
        if (stack != null) {
            json.writeNumberField("settlements_waiting", stack.guard().stats().waitingSettlements());
            json.writeObjectFieldStart("leases");
            for (Map.Entry<String, Long> policy : stack.leasing().held().entrySet()) {
                json.writeNumberField(policy.getKey(), policy.getValue());
            }
            json.writeEndObject();
            json.writeObjectFieldStart("trips_per_second");
            for (Map.Entry<String, Double> shard : engine.tripsPerSecond().entrySet()) {
                json.writeNumberField(shard.getKey(), shard.getValue());
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
