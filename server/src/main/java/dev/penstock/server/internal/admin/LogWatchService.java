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

/** {@code /admin/log/watch}: whose decisions are all written down for a time, on this node. */
public final class LogWatchService {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final String WORDS = "attribute, value, for_ms";
    private static final String HIDDEN = "(hidden)";

    private final @Nullable DecisionLog log;
    private final PolicyWatch policies;
    private final Clock clock;
    private final Changes changes;

    /** @param log null where nothing is written down */
    public LogWatchService(@Nullable DecisionLog log, PolicyWatch policies, Clock clock, Changes changes) {
        this.log = log;
        this.policies = policies;
        this.clock = clock;
        this.changes = changes;
    }

    /** Who is to be watched, and for how long; zero for no longer. */
    private record Wish(Watched who, Duration life) {
        static Wish read(HttpData body) throws BadRequest {
            return JsonReader.read(body, Wish::read);
        }

        private static Wish read(JsonReader json) throws BadRequest, IOException {
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
            Duration told = life[0];
            if (attribute == null || attribute.isEmpty()) {
                throw new BadRequest("attribute", "nothing (expected: a name)");
            } else if (value == null) {
                throw new BadRequest("value", "nothing (expected: a text)");
            } else if (told == null) {
                throw new BadRequest("for_ms", "nothing (expected: milliseconds, 0 to end it)");
            }
            return new Wish(new Watched(attribute, value), told);
        }
    }

    /** {@code POST}: begins, or ends. */
    public AggregatedService change() {
        return changes.service((context, request) -> {
            Wish wish = Wish.read(request.content());
            LogChoices choices = choices();
            if (choices == null) {
                throw new BadRequest(null, "nothing is written down (expected: decision_log.file)");
            }
            boolean isHidden = policies.policies().hides(wish.who.attribute());
            return new Change(
                    "log.watch",
                    json -> {
                        json.writeStartObject();
                        json.writeStringField("attribute", wish.who.attribute());
                        if (!isHidden) {
                            json.writeStringField("value", wish.who.value());
                        }
                        json.writeNumberField("for_ms", wish.life.toMillis());
                        json.writeEndObject();
                    },
                    () -> CompletableFuture.completedStage(watch(choices, wish)));
        });
    }

    private Outcome watch(LogChoices choices, Wish wish) {
        try {
            choices.watch(wish.who, now().plus(wish.life));
            return Outcome.done(told());
        } catch (IllegalArgumentException e) { // too many
            Problem problem = Problem.ofRequest(HttpStatus.CONFLICT.code(), String.valueOf(e.getMessage()), null);
            return new Outcome("refused", Answers.problem(problem, List.of()));
        }
    }

    /** {@code GET}: who is watched. */
    public AggregatedService show() {
        return (context, request) -> CompletableFuture.completedStage(told());
    }

    /** The value, unless the policies hide those of its attribute. */
    private String shown(Watched who) {
        return policies.policies().hides(who.attribute()) ? HIDDEN : who.value();
    }

    private @Nullable LogChoices choices() {
        return log == null ? null : log.choices();
    }

    private Instant now() {
        return Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
    }

    private HttpResponse told() {
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
