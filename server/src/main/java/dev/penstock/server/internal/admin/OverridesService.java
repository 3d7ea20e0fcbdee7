package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.penstock.internal.Expect;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRulesWatch;
import dev.penstock.server.internal.admin.Changes.Change;
import dev.penstock.server.internal.admin.Changes.Outcome;
import dev.penstock.server.internal.fields.Problem;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.server.internal.http.JsonReader;
import dev.penstock.server.internal.override.BlockedKey;
import dev.penstock.server.internal.override.OperatorOverrides;
import dev.penstock.spi.Charge;
import dev.penstock.spi.StoreRefused;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code /admin/keys/block}, {@code /admin/shadow} and related calls: temporary overrides by operators, which block
 * keys or put the whole service in shadow mode.
 */
public final class OverridesService {
    /** The maximum times for a block and for shadow. */
    private static final Duration LONGEST_BLOCK = Duration.ofDays(366);

    private static final Duration LONGEST_SHADOW = Duration.ofDays(7);

    private final OperatorOverrides overrides;
    private final PolicyWatch policies;
    private final @Nullable EnvoyRulesWatch rules;
    private final Changes changes;

    /** @param rules the rules for Envoy; null if the policies decide Envoy's requests */
    public OverridesService(
            OperatorOverrides overrides, PolicyWatch policies, @Nullable EnvoyRulesWatch rules, Changes changes) {
        this.rules = rules;
        this.overrides = overrides;
        this.policies = policies;
        this.changes = changes;
    }

    /** {@code POST /admin/keys/block}: blocks a key. */
    public AggregatedService block() {
        return changes.service((context, request) -> {
            KeysBody asked = KeysBody.readTimed(request.content(), LONGEST_BLOCK);
            List<Charge> charges = KeysService.charges(asked, policies.policies(), rules);
            Duration life = Expect.present(asked.life(), "for_ms");
            String who = Operator.of(context);
            return new Change(
                    "keys.block",
                    json -> KeysService.write(json, charges, life),
                    () -> each(
                            charges,
                            "blocked",
                            charge -> overrides.block(charge.settings().policy(), charge.key(), life, who)));
        });
    }

    /** {@code POST /admin/keys/unblock}: lifts the operator's block of a key. */
    public AggregatedService unblock() {
        return changes.service((context, request) -> {
            KeysBody asked = KeysBody.read(request.content());
            List<Charge> charges = KeysService.charges(asked, policies.policies(), rules);
            return new Change(
                    "keys.unblock",
                    json -> KeysService.write(json, charges, null),
                    () -> each(charges, "unblocked", charge -> overrides.unblock(charge.key())));
        });
    }

    /** {@code GET /admin/keys/blocked}: returns the keys that operators have blocked. */
    public AggregatedService blocked() {
        return (context, request) ->
                CompletableFuture.completedStage(Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
                    json.writeStartObject();
                    json.writeArrayFieldStart("blocked");
                    for (BlockedKey each : overrides.blocks()) {
                        json.writeStartObject();
                        json.writeStringField("policy", each.policy());
                        KeyState.writeTexts(
                                json,
                                "parts",
                                new KeyParts(policies, rules).of(each.key().counter()));
                        KeyState.writeTexts(json, "key", each.key().valuesOrNull());
                        json.writeStringField("by", each.by());
                        json.writeStringField("since", each.since().toString());
                        json.writeStringField("until", each.until().toString());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    json.writeEndObject();
                })));
    }

    /** {@code POST /admin/shadow}: denies nothing for the given time; zero ends it. */
    public AggregatedService changeShadow() {
        return changes.service((context, request) -> {
            Duration life = JsonReader.read(request.content(), OverridesService::life);
            String who = Operator.of(context);
            return life.isZero()
                    ? new Change("shadow.end", null, () -> shadowed(overrides.endShadow()))
                    : new Change("shadow.begin", about(life), () -> shadowed(overrides.shadow(life, who)));
        });
    }

    private static DecisionJson.Writer about(Duration life) {
        return json -> {
            json.writeStartObject();
            json.writeNumberField("for_ms", life.toMillis());
            json.writeEndObject();
        };
    }

    private CompletionStage<Outcome> shadowed(CompletionStage<Void> changed) {
        return changed.handle((done, failure) -> failure == null ? Outcome.done(shadow()) : failed(failure));
    }

    private static Duration life(JsonReader json) throws BadRequest, IOException {
        @Nullable Duration[] life = {null};
        json.object(null, (word, path) -> {
            if (!word.equals("for_ms")) {
                throw json.unknown(path, "for_ms");
            }
            life[0] = Duration.ofMillis(json.number(path, LONGEST_SHADOW.toMillis()));
        });
        Duration lifetime = life[0];
        if (lifetime == null) {
            throw new BadRequest("for_ms", "nothing (expected: milliseconds, 0 to end it)");
        }
        return lifetime;
    }

    /** {@code GET /admin/shadow}: says if the service is in shadow mode, and until when. */
    public AggregatedService showShadow() {
        return (context, request) -> CompletableFuture.completedStage(shadow());
    }

    private HttpResponse shadow() {
        Instant until = overrides.shadowUntil();
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeBooleanField("shadow", until != null);
            if (until != null) {
                json.writeStringField("until", until.toString());
            }
            json.writeEndObject();
        }));
    }

    private static CompletionStage<Outcome> each(
            List<Charge> charges, String word, Function<Charge, CompletionStage<Void>> change) {
        CompletionStage<@Nullable Void> all = CompletableFuture.completedStage(null);
        for (Charge charge : charges) {
            all = all.thenCompose(done -> change.apply(charge));
        }
        return all.handle(
                (done, failure) -> failure == null ? Outcome.done(count(word, charges.size())) : failed(failure));
    }

    private static HttpResponse count(String word, int count) {
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeNumberField(word, count);
            json.writeEndObject();
        }));
    }

    private static Outcome failed(Throwable failure) {
        StoreRefused refused = StoreRefused.in(failure);
        String detail = refused == null
                ? "The store did not answer, so the change may or may not have happened. You can repeat the request."
                : String.valueOf(refused.getMessage());
        return new Outcome(
                refused == null ? "the store failed" : "refused",
                Answers.problem(Problem.ofRequest(HttpStatus.SERVICE_UNAVAILABLE.code(), detail, null), List.of()));
    }
}
