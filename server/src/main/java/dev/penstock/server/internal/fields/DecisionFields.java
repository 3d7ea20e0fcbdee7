package dev.penstock.server.internal.fields;

import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.LimitStatus;
import dev.penstock.internal.Expect;
import dev.penstock.internal.RetryAfterSeconds;
import dev.penstock.server.internal.fields.FieldChoices.Family;
import dev.penstock.server.internal.fields.FieldChoices.ResetForm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Writes the header fields that inform a client of a decision.
 *
 * <p>Thread-safe if the source of random numbers is. All times are rounded up to whole seconds.
 */
public final class DecisionFields {
    private static final HeaderField NO_STORE = new HeaderField("Cache-Control", "no-store");

    private final FieldChoices choices;
    private final RandomGenerator random;

    public DecisionFields(FieldChoices choices) {
        this(choices, () -> ThreadLocalRandom.current().nextLong());
    }

    /** Creates fields with another source of random jitter. */
    public DecisionFields(FieldChoices choices, RandomGenerator random) {
        this.choices = Expect.present(choices, "choices");
        this.random = Expect.present(random, "random");
    }

    /** Returns the fields in the order in which they are sent; empty if there is nothing to report. */
    public List<HeaderField> of(Decision decision) {
        List<HeaderField> fields = new ArrayList<>(7);
        boolean draft = choices.has(Family.RATE_LIMIT);
        boolean trio = choices.has(Family.X_RATE_LIMIT);
        if (draft || trio) {
            ShownLimits shown = ShownLimits.of(decision);
            if (draft) {
                addRateLimit(shown, fields);
            }
            if (trio && !shown.seen().isEmpty()) {
                addTrio(decision, shown.seen().get(0), fields);
            }
        }
        if (decision instanceof Denied denied) {
            addDenial(denied, fields);
        }
        return fields;
    }

    /** Returns the fields of a denial, with {@code Retry-After} even if that field is not chosen. */
    public List<HeaderField> withRetryAfter(Denied denied) {
        List<HeaderField> fields = of(denied);
        Duration wait = denied.retry().waitFor();
        if (wait != null && !choices.has(Family.RETRY_AFTER)) {
            fields.add(retryAfter(wait));
        }
        return fields;
    }

    private static void addRateLimit(ShownLimits shown, List<HeaderField> fields) {
        if (shown.size() > 0) {
            fields.add(new HeaderField(RateLimitFields.POLICY, RateLimitFields.policies(shown)));
        }
        if (!shown.seen().isEmpty()) {
            fields.add(new HeaderField(RateLimitFields.LIMIT, RateLimitFields.limits(shown)));
        }
    }

    private void addTrio(Decision decision, ShownLimits.Shown first, List<HeaderField> fields) {
        LimitStatus status = first.status();
        long reset = choices.reset() == ResetForm.EPOCH
                ? RetryAfterSeconds.roundedUp(decision.madeAt().plus(first.resetAfter()))
                : RetryAfterSeconds.roundedUp(first.resetAfter());
        fields.add(new HeaderField("X-RateLimit-Limit", String.valueOf(status.capacity())));
        fields.add(new HeaderField("X-RateLimit-Remaining", String.valueOf(status.remaining())));
        fields.add(new HeaderField("X-RateLimit-Reset", String.valueOf(reset)));
    }

    private void addDenial(Denied denied, List<HeaderField> fields) {
        Duration wait = denied.retry().waitFor();
        if (wait != null && choices.has(Family.RETRY_AFTER)) {
            fields.add(retryAfter(wait));
        }
        if (choices.has(Family.CACHE_CONTROL)) {
            fields.add(NO_STORE);
        }
    }

    private HeaderField retryAfter(Duration wait) {
        int jitter = choices.retryJitterSeconds();
        long seconds = RetryAfterSeconds.ofRetry(wait);
        return new HeaderField(
                "Retry-After", String.valueOf(jitter == 0 ? seconds : seconds + random.nextInt(jitter + 1)));
    }
}
