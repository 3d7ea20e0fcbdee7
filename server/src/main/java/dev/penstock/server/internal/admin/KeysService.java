package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.penstock.Decision;
import dev.penstock.Limiter;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyWatch;
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

/** {@code /admin/keys}: how the counters of a key stand, and forgetting what they counted. */
public final class KeysService {
    private final Limiter limiter;
    private final PolicyWatch policies;
    private final OperatorOverrides overrides;
    private final Changes changes;

    /** @param policies those of the limiter */
    public KeysService(Limiter limiter, PolicyWatch policies, OperatorOverrides overrides, Changes changes) {
        this.limiter = limiter;
        this.policies = policies;
        this.overrides = overrides;
        this.changes = changes;
    }

    /** {@code POST /admin/keys/show}: charges nothing. */
    public AggregatedService show() {
        return (context, request) -> {
            KeysBody asked = KeysBody.read(request.content());
            Policies inUse = policies.policies();
            List<Charge> charges = charges(asked, inUse);
            StaticDecision ruling = asked.request() == null
                    ? null
                    : inUse.match(asked.request()).staticDecision();
            return look(charges).thenApply(seen -> answer(inUse, ruling, seen));
        };
    }

    /** {@code POST /admin/keys/reset}. */
    public AggregatedService reset() {
        return changes.service((context, request) -> {
            KeysBody asked = KeysBody.read(request.content());
            List<Charge> charges = charges(asked, policies.policies());
            return new Change("keys.reset", json -> write(json, charges, null), () -> reset(charges));
        });
    }

    /** {@code POST /admin/policies/{name}/reset}: all keys of a policy; takes as long as there are any. */
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

    static List<Charge> charges(KeysBody asked, Policies inUse) throws BadRequest {
        List<Charge> charges = asked.charges(inUse);
        if (charges.size() > Ask.MOST_CHARGES / 2) { // each may have a block beside it
            throw new BadRequest(
                    "limit", charges.size() + " limits are meant (expected: at most " + Ask.MOST_CHARGES / 2 + ")");
        }
        return charges;
    }

    /**
     * Asks twice: at no cost and without their blocks all limits fit, so that all are looked at; with them, only what stands in the
     * way may be.
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

    private static HttpResponse answer(Policies inUse, @Nullable StaticDecision ruling, KeyState seen) {
        if (seen.isUnknown()) {
            return Answers.problem(
                    Problem.ofRequest(
                            HttpStatus.SERVICE_UNAVAILABLE.code(),
                            "The store cannot be asked at present, and this node knows nothing of the key.",
                            null),
                    List.of());
        }
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            if (ruling != null) {
                writeRuling(json, ruling);
            }
            seen.write(json, inUse);
            json.writeEndObject();
        }));
    }

    private static void writeRuling(JsonGenerator json, StaticDecision ruling) throws IOException {
        json.writeStringField("ruled_by", ruling.by());
        json.writeBooleanField("allowed", ruling.verdict() != StaticDecision.Verdict.DENY);
    }

    /**
     * What is meant, for the log: a value that a policy hides is in no key as it is.
     *
     * @param life for how long; null where it is not for a time
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
        CompletionStage<Completion> done = charges.isEmpty()
                ? CompletableFuture.completedStage(Completion.DONE)
                : limiter.resetAsync(Ask.of(charges));
        return done.handle((fine, failure) -> failure == null
                ? Outcome.done(Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
                    json.writeStartObject();
                    json.writeNumberField("reset", charges.size());
                    json.writeEndObject();
                })))
                : new Outcome("the store failed", storeFailed()));
    }

    private static HttpResponse storeFailed() {
        String detail = "The store did not answer: it is not known whether it has forgotten. It can be sent again.";
        return Answers.problem(Problem.ofRequest(HttpStatus.SERVICE_UNAVAILABLE.code(), detail, null), List.of());
    }
}
