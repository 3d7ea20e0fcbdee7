package dev.penstock.server.internal.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.PolicyLimit;
import dev.penstock.Request;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.StaticDecision;
import dev.penstock.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTest {
    private static final String REGISTRY = "https://iana.org/assignments/http-problem-types#";
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Request ANYBODY = Request.of("user", "a");

    private final ManualClock clock = new ManualClock();

    private Denied secondOf(Policy... policies) {
        Limiter limiter = Limiter.builder(Policy.setOf(policies))
                .clock(clock)
                .scheduler(clock)
                .build();
        limiter.decide(ANYBODY);
        return (Denied) limiter.decide(ANYBODY);
    }

    /** Returns the members in order. */
    private static Map<String, Object> read(Problem problem) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        try (JsonParser json = new JsonFactory().createParser(problem.toJson())) {
            assertThat(json.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                JsonToken token = json.nextToken();
                assertThat(members).doesNotContainKey(name);
                members.put(name, token == JsonToken.START_ARRAY ? texts(json) : value(json, token));
            }
            assertThat(json.currentToken()).isEqualTo(JsonToken.END_OBJECT);
            assertThat(json.nextToken()).isNull();
        }
        return members;
    }

    private static Object value(JsonParser json, JsonToken token) throws IOException {
        return token == JsonToken.VALUE_NUMBER_INT ? (Object) json.getIntValue() : json.getText();
    }

    private static List<String> texts(JsonParser json) throws IOException {
        List<String> texts = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            texts.add(json.getText());
        }
        return texts;
    }

    @Test
    void of_limitExceeded_namesTheLimitAsTheFieldsDo() throws IOException {
        Denied denied = secondOf(Policy.named("api")
                .limit(Limit.fixedWindow(1, MINUTE), "user")
                .limit(Limit.tokenBucket(9, MINUTE), "user"));

        assertThat(read(Problem.of(denied, 429)))
                .containsExactly(
                        Map.entry("type", REGISTRY + "quota-exceeded"),
                        Map.entry("title", "Request cannot be satisfied as assigned quota has been exceeded"),
                        Map.entry("status", 429),
                        Map.entry(
                                "detail",
                                "The request costs more than the limit api/fixed_window-1m can allow right now."),
                        Map.entry("reason", "limit_exceeded"),
                        Map.entry("action", "deny"),
                        Map.entry("violated-policies", List.of("api/fixed_window-1m")));
        assertThat(Wire.of(denied).limits().get(0).name()).isEqualTo("api/fixed_window-1m");
        assertThat(read(Problem.of(denied, 403))).containsEntry("status", 403);
    }

    @Test
    void of_challenge_hasTheAction() throws IOException {
        Denied denied = secondOf(
                Policy.named("login").action(Denied.Action.CHALLENGE).limit(Limit.fixedWindow(1, MINUTE), "user"));

        assertThat(read(Problem.of(denied, 429))).containsEntry("action", "challenge");
    }

    @Test
    void of_severalExceeded_namesAll() throws IOException {
        Denied denied = secondOf(
                Policy.named("a").limit(Limit.fixedWindow(1, MINUTE), "user"),
                Policy.named("b").limit(Limit.fixedWindow(1, MINUTE), "user"));

        assertThat(read(Problem.of(denied, 429)))
                .containsEntry("detail", "The request costs more than the limits a, b can allow right now.")
                .containsEntry("violated-policies", List.of("a", "b"));
    }

    @Test
    void of_hiddenLimit_namesNothing() throws IOException {
        Denied denied = secondOf(Policy.named("secret")
                .limit(PolicyLimit.of(Limit.fixedWindow(1, MINUTE)).exposure(LimitSettings.Exposure.HIDDEN)));

        assertThat(read(Problem.of(denied, 429)))
                .containsEntry("type", REGISTRY + "quota-exceeded")
                .containsEntry("detail", "The request costs more than a limit can allow right now.")
                .containsEntry("violated-policies", List.of());
    }

    @Test
    void of_costAboveCapacity_saysThatWaitingDoesNotHelp() throws IOException {
        Limiter limiter = Limiter.of(Policy.named("api").limit(Limit.fixedWindow(5, MINUTE)));
        Denied denied = (Denied) limiter.decide(Request.empty().cost("requests", 6));

        assertThat(read(Problem.of(denied, 429)))
                .containsEntry(
                        "detail", "The request costs more than the limit api can ever allow. Waiting does not help.");
    }

    @Test
    void of_block_isAbnormalUsage() throws IOException {
        Denied denied = secondOf(Policy.named("login")
                .limit(PolicyLimit.of(Limit.fixedWindow(1, MINUTE)).blockFor(Duration.ofHours(1))));
        clock.advance(MINUTE);

        assertThat(ProblemType.of(denied).usualStatus()).isEqualTo(429);
        assertThat(read(Problem.of(denied, 429)))
                .containsEntry("type", REGISTRY + "abnormal-usage-detected")
                .containsEntry("violated-policies", List.of("login"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Denied.Reason.class,
            names = {"STORE_FAILED", "STORE_FULL"})
    void of_storeThatCannotCount_isReducedCapacity(Denied.Reason reason) throws IOException {
        Evidence evidence = Evidence.none(Ask.of(), clock.micros(), DecidedBy.FALLBACK);
        Denied denied = new Denied(evidence, reason, Duration.ofSeconds(2));

        assertThat(ProblemType.of(denied).usualStatus()).isEqualTo(503);
        assertThat(read(Problem.of(denied, 503)))
                .containsEntry("type", REGISTRY + "temporary-reduced-capacity")
                .containsEntry("status", 503)
                .containsEntry("violated-policies", List.of());
    }

    @Test
    void of_denyList_hasNoTypeAndDoesNotNameTheEntry() throws IOException {
        StaticDecision staticDecision = new StaticDecision(StaticDecision.Verdict.DENY, "known-attackers", null);
        Denied denied = (Denied) staticDecision.decision(Ask.of(staticDecision), clock.micros());

        assertThat(ProblemType.of(denied).usualStatus()).isEqualTo(403);
        assertThat(read(Problem.of(denied, 403)))
                .containsExactly(
                        Map.entry("type", "about:blank"),
                        Map.entry("title", "Forbidden"),
                        Map.entry("status", 403),
                        Map.entry("detail", "The request is denied regardless of its limits."));
        assertThat(Wire.of(denied).fields()).isEqualTo(Map.of("Cache-Control", "no-store"));
    }

    /** Every reason has a document. Without one, a denial would become an error. */
    @ParameterizedTest
    @EnumSource
    void of_everyReason_hasADocument(Denied.Reason reason) throws IOException {
        Evidence evidence = Evidence.none(Ask.of(), clock.micros(), DecidedBy.STORE);
        Denied denied = new Denied(evidence, reason, Duration.ZERO);

        assertThat(read(Problem.of(denied, ProblemType.of(denied).usualStatus())))
                .containsKeys("type", "title", "detail");
    }

    @Test
    void ofRequest_namesTheField() throws IOException {
        assertThat(read(Problem.ofRequest(400, "costs.tokens: -1 (expected: >= 0)", "costs.tokens")))
                .containsExactly(
                        Map.entry("type", "about:blank"),
                        Map.entry("title", "Bad Request"),
                        Map.entry("status", 400),
                        Map.entry("detail", "costs.tokens: -1 (expected: >= 0)"),
                        Map.entry("field", "costs.tokens"));
        assertThat(read(Problem.ofRequest(404, "no such path", null))).doesNotContainKey("field");
    }

    /** The texts may contain anything that a client sent. */
    @Test
    void toJson_anyCharacters_isJson() throws IOException {
        assertThat(read(Problem.ofRequest(400, "\uD800 \"\\\n\u0000 ü \uD83D\uDE00", "\uDC00")))
                .containsEntry("detail", "? \"\\\n\u0000 ü \uD83D\uDE00")
                .containsEntry("field", "?");
    }

    @Test
    void new_badStatus_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Problem.ofRequest(200, "fine", null))
                .withMessage("status: 200 (expected: >= 400)");
    }
}
