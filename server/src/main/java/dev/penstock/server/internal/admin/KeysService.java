package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.penstock.Decision;
import dev.penstock.Limiter;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRulesWatch;
import dev.penstock.server.internal.admin.Changes.Change;
import dev.penstock.server.internal.admin.Changes.Outcome;
import dev.penstock.server.internal.fields.Problem;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.server.internal.override.OperatorOverrides;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.StaticDecision;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code /admin/keys}: shows and resets the counters of a key. */
public final class KeysService {
    private final Limiter limiter;
    private final PolicyWatch policies;
    private final @Nullable EnvoyRulesWatch rules;
    private final OperatorOverrides overrides;
    private final Changes changes;

    /**
     * @param policies the policies of the limiter
     * @param rules the rules for Envoy; null if the policies decide Envoy's requests
     */
    public KeysService(
            Limiter limiter,
            PolicyWatch policies,
            @Nullable EnvoyRulesWatch rules,
            OperatorOverrides overrides,
            Changes changes) {
        this.limiter = limiter;
        this.rules = rules;
        this.policies = policies;
        this.overrides = overrides;
        this.changes = changes;
    }

    /** {@code POST /admin/keys/show}: returns the state of the counters without charging anything. */
    public AggregatedService show() {
        return (context, request) -> {
            KeysBody asked = KeysBody.read(request.content());
            Policies inUse = policies.policies();
            List<Charge> charges = charges(asked, inUse, rules);
            StaticDecision staticDecision = asked.request() == null
                    ? null
                    : inUse.match(asked.request()).staticDecision();
            return look(charges).thenApply(seen -> answer(staticDecision, seen));
        };
    }

    /** {@code POST /admin/keys/reset}: resets the counters. */
    public AggregatedService reset() {
        return changes.service((context, request) -> {
            KeysBody asked = KeysBody.read(request.content());
            List<Charge> charges = charges(asked, policies.policies(), rules);
            return new Change("keys.reset", json -> write(json, charges, null), () -> reset(charges));
        });
    }

    /** {@code POST /admin/policies/{name}/reset}: resets all keys of a policy. Takes longer the more keys there are. */
    public AggregatedService resetPolicy() {
        return changes.service((context, request) -> {
            String name = String.valueOf(context.pathParam("name"));
            Policies inUse = policies.policies();
            Set<String> counters;
            try {
                counters = inUse.counters(name);
            } catch (IllegalArgumentException e) {
                throw new BadRequest("name", name + " (expected: a policy that is in use)");
            }
            Set<String> shared = inUse.sharingCounters(name);
            context.clearRequestTimeout();
            return new Change(
                    "policies.reset",
                    json -> json.writeString(name),
                    () -> limiter.resetCountersAsync(counters)
                            .handle((done, failure) -> failure == null
                                    ? Outcome.done(reset(counters, shared))
                                    : new Outcome("the store failed", storeFailed())));
        });
    }

    private static HttpResponse reset(Set<String> counters, Set<String> shared) {
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            KeyState.writeTexts(json, "counters", List.copyOf(counters));
            KeyState.writeTexts(json, "shared_with", List.copyOf(shared));
            json.writeEndObject();
        }));
    }

    static List<Charge> charges(KeysBody asked, Policies inUse, @Nullable EnvoyRulesWatch rules) throws BadRequest {
        List<Charge> charges = asked.charges(inUse, rules == null ? null : rules.rules());
        if (charges.size() > Ask.MOST_CHARGES / 2) { // each may also have a block
            throw new BadRequest("limit", charges.size() + " limits (expected: at most " + Ask.MOST_CHARGES / 2 + ")");
        }
        return charges;
    }

    /**
     * Peeks twice. The first peek ignores blocks, so that it fits at cost 0 and reports all limits. The second one
     * includes blocks, and may therefore report only the limits that deny.
     */
    private CompletionStage<KeyState> look(List<Charge> charges) {
        List<Charge> bare = charges.stream()
                .map(charge -> charge.on(charge.settings().block(null)))
                .toList();
        boolean none = charges.stream().allMatch(charge -> charge.settings().block() == null);
        CompletionStage<Decision> limits = limiter.askAsync(Ask.of(bare).peek());
        return none
                ? limits.thenApply(seen -> new KeyState(charges, seen, List.of(), overrides::blocked))
                : limits.thenCombine(
                        limiter.askAsync(Ask.of(charges).peek()),
                        (seen, blocks) -> new KeyState(charges, seen, blocks.limits(), overrides::blocked));
    }

    private HttpResponse answer(@Nullable StaticDecision staticDecision, KeyState seen) {
        if (seen.isUnknown()) {
            return Answers.problem(
                    Problem.ofRequest(
                            HttpStatus.SERVICE_UNAVAILABLE.code(),
                            "The store does not answer, and this node has no data for the key.",
                            null),
                    List.of());
        }
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            if (staticDecision != null) {
                writeStaticDecision(json, staticDecision);
            }
            seen.write(json, new KeyParts(policies, rules));
            json.writeEndObject();
        }));
    }

    private static void writeStaticDecision(JsonGenerator json, StaticDecision staticDecision) throws IOException {
        json.writeStringField("ruled_by", staticDecision.by());
        json.writeBooleanField("allowed", staticDecision.verdict() != StaticDecision.Verdict.DENY);
    }

    /**
     * Writes the selected counters for the log. Values that a policy hides are already replaced in the keys.
     *
     * @param life how long the change lasts; null if it has no time limit
     */
    static void write(JsonGenerator json, List<Charge> charges, @Nullable Duration life) throws IOException {
        json.writeStartArray();
        for (Charge charge : charges) {
            json.writeStartObject();
            json.writeStringField("policy", charge.settings().policy());
            json.writeStringField("limit", charge.limit().id());
            KeyState.writeTexts(json, "key", charge.key().valuesOrNull());
            if (life != null) {
                json.writeNumberField("for_ms", life.toMillis());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private CompletionStage<Outcome> reset(List<Charge> charges) {
        CompletableFuture<Completion> late = new CompletableFuture<>();
        CompletionStage<Completion> done = charges.isEmpty()
                ? CompletableFuture.completedStage(Completion.DONE)
                : limiter.resetAsync(Ask.of(charges), () -> late.complete(Completion.DONE));
        return done.handle((fine, failure) -> failure == null
                ? Outcome.done(Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
                    json.writeStartObject();
                    json.writeNumberField("reset", charges.size());
                    json.writeEndObject();
                })))
                : new Outcome("the store failed", storeFailed(), late));
    }

    private static HttpResponse storeFailed() {
        String detail =
                "The store did not answer. The reset may have happened, may still happen when the store is back, or may"
                        + " not happen at all. If it happens later, the audit log reports it as done late. You can repeat"
                        + " the request.";
        return Answers.problem(Problem.ofRequest(HttpStatus.SERVICE_UNAVAILABLE.code(), detail, null), List.of());
    }
}
