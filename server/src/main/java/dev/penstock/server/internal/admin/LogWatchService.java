package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.penstock.Clock;
import dev.penstock.observe.DecisionLog;
import dev.penstock.observe.LogChoices;
import dev.penstock.observe.LogChoices.Watched;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.admin.Changes.Change;
import dev.penstock.server.internal.admin.Changes.Outcome;
import dev.penstock.server.internal.fields.Problem;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.server.internal.http.JsonReader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code /admin/log/watch}: logs all decisions of selected callers for a time, on this node. */
public final class LogWatchService {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final String WORDS = "attribute, value, for_ms";
    private static final String HIDDEN = "(hidden)";

    private final @Nullable DecisionLog log;
    private final PolicyWatch policies;
    private final Clock clock;
    private final Changes changes;

    /** @param log the decision log; null if there is none */
    public LogWatchService(@Nullable DecisionLog log, PolicyWatch policies, Clock clock, Changes changes) {
        this.log = log;
        this.policies = policies;
        this.clock = clock;
        this.changes = changes;
    }

    /** A request to log all decisions of someone for a time; zero ends the watch. */
    private record WatchRequest(Watched who, Duration life) {
        static WatchRequest read(HttpData body) throws BadRequest {
            return JsonReader.read(body, WatchRequest::read);
        }

        private static WatchRequest read(JsonReader json) throws BadRequest, IOException {
            @Nullable String[] texts = {null, null};
            @Nullable Duration[] life = {null};
            json.object(null, (word, path) -> {
                switch (word) {
                    case "attribute" -> texts[0] = json.text(path);
                    case "value" -> texts[1] = json.text(path);
                    case "for_ms" -> life[0] = Duration.ofMillis(json.number(path, LONGEST.toMillis()));
                    default -> throw json.unknown(path, WORDS);
                }
            });
            String attribute = texts[0];
            String value = texts[1];
            Duration lifetime = life[0];
            if (attribute == null || attribute.isEmpty()) {
                throw new BadRequest("attribute", "nothing (expected: a name)");
            } else if (value == null) {
                throw new BadRequest("value", "nothing (expected: a text)");
            } else if (lifetime == null) {
                throw new BadRequest("for_ms", "nothing (expected: milliseconds, 0 to end it)");
            }
            return new WatchRequest(new Watched(attribute, value), lifetime);
        }
    }

    /** {@code POST}: starts or ends a watch. */
    public AggregatedService change() {
        return changes.service((context, request) -> {
            WatchRequest wanted = WatchRequest.read(request.content());
            LogChoices choices = choices();
            if (choices == null) {
                throw new BadRequest(null, "there is no decision log (expected: decision_log.file to be set)");
            }
            boolean isHidden = policies.policies().hides(wanted.who.attribute());
            return new Change(
                    "log.watch",
                    json -> {
                        json.writeStartObject();
                        json.writeStringField("attribute", wanted.who.attribute());
                        if (!isHidden) {
                            json.writeStringField("value", wanted.who.value());
                        }
                        json.writeNumberField("for_ms", wanted.life.toMillis());
                        json.writeEndObject();
                    },
                    () -> CompletableFuture.completedStage(watch(choices, wanted)));
        });
    }

    private Outcome watch(LogChoices choices, WatchRequest wanted) {
        try {
            choices.watch(wanted.who, now().plus(wanted.life));
            return Outcome.done(answer());
        } catch (IllegalArgumentException e) { // too many
            Problem problem = Problem.ofRequest(HttpStatus.CONFLICT.code(), String.valueOf(e.getMessage()), null);
            return new Outcome("refused", Answers.problem(problem, List.of()));
        }
    }

    /** {@code GET}: returns the active watches. */
    public AggregatedService show() {
        return (context, request) -> CompletableFuture.completedStage(answer());
    }

    /** Returns the value, unless the policies hide values of its attribute. */
    private String shown(Watched who) {
        return policies.policies().hides(who.attribute()) ? HIDDEN : who.value();
    }

    private @Nullable LogChoices choices() {
        return log == null ? null : log.choices();
    }

    private Instant now() {
        return Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
    }

    private HttpResponse answer() {
        LogChoices choices = choices();
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeBooleanField("written", choices != null);
            json.writeArrayFieldStart("watched");
            if (choices != null) {
                for (Map.Entry<Watched, Instant> each : choices.watched().entrySet()) {
                    json.writeStartObject();
                    json.writeStringField("attribute", each.getKey().attribute());
                    json.writeStringField("value", shown(each.getKey()));
                    json.writeStringField("until", each.getValue().toString());
                    json.writeEndObject();
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }
}
