package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import dev.penstock.Policy.Consistency;
import dev.penstock.Retry;
import dev.penstock.policy.Policies;
import dev.penstock.policy.internal.text.LimitText;
import dev.penstock.server.internal.override.BlockedKey;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the counters of a key stand.
 *
 * @param seen what was told of them at no cost
 * @param withBlocks what was told when their blocks were looked at, too; nothing where they have none
 * @param byHand how a key is blocked by hand; null where it is not
 */
record KeyState(
        List<Charge> charges, Decision seen, List<LimitStatus> withBlocks, Function<Key, @Nullable BlockedKey> byHand) {
    /** Whether nobody could be asked. */
    boolean isUnknown() {
        return !charges.isEmpty() && seen.limits().isEmpty();
    }

    /** The limits, each with its numbers and how it stands. */
    void write(JsonGenerator json, Policies policies) throws IOException {
        json.writeStringField("told_by", seen.decidedBy().name().toLowerCase(Locale.ROOT));
        json.writeStringField("at", seen.madeAt().toString());
        json.writeArrayFieldStart("limits");
        for (LimitStatus limit : seen.limits()) {
            write(json, limit, policies);
        }
        json.writeEndArray();
    }

    private void write(JsonGenerator json, LimitStatus limit, Policies policies) throws IOException {
        LimitSettings terms = limit.charge().settings();
        json.writeStartObject();
        json.writeStringField("policy", limit.policy());
        json.writeStringField("limit", limit.limit().id());
        json.writeStringField("numbers", LimitText.of(limit.limit()));
        json.writeStringField("unit", limit.limit().unit());
        json.writeStringField("counter", limit.key().counter());
        writeTexts(json, "parts", policies.keyParts(limit.key().counter()));
        writeTexts(json, "key", limit.key().valuesOrNull());
        json.writeNumberField("capacity", limit.capacity());
        json.writeNumberField("remaining", limit.remaining());
        json.writeStringField("free_at", momentAfter(limit.resetAfter()).toString());
        writeBlock(json, limit);
        if (!limit.isEnforced()) {
            json.writeBooleanField("shadow", true);
        }
        if (terms.place() == LimitSettings.Place.PROCESS) {
            json.writeBooleanField("local", true);
        }
        if (terms.consistency() == Consistency.LEASED) {
            json.writeBooleanField("leased", true);
        }
        json.writeEndObject();
    }

    /** What lasts longer is told, where a limit has blocked the key and somebody by hand, too. */
    private void writeBlock(JsonGenerator json, LimitStatus limit) throws IOException {
        Duration blockedFor = blockedFor(limit);
        BlockedKey blocked = byHand.apply(limit.key());
        Instant until = blockedFor == null ? null : momentAfter(blockedFor);
        if (blocked != null && (until == null || blocked.until().isAfter(until))) {
            until = blocked.until();
        }
        json.writeBooleanField("blocked", until != null);
        if (until != null) {
            json.writeStringField("blocked_until", until.toString());
        }
        if (blocked != null) {
            json.writeStringField("blocked_by", blocked.by());
        }
    }

    private Instant momentAfter(Duration duration) {
        return seen.madeAt().plus(duration);
    }

    /** How long a limit blocks the key yet; null where it is not. */
    private @Nullable Duration blockedFor(LimitStatus limit) {
        for (LimitStatus each : withBlocks) {
            Retry retry = each.retry();
            if (each.isBlocked()
                    && retry != null
                    && each.policy().equals(limit.policy())
                    && each.limit().id().equals(limit.limit().id())
                    && each.key().equals(limit.key())) {
                return retry.waitFor();
            }
        }
        return null;
    }

    static void writeTexts(JsonGenerator json, String name, List<? extends @Nullable String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }
}
