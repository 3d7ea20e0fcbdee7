package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import dev.penstock.Policy.Consistency;
import dev.penstock.Retry;
import dev.penstock.policy.text.LimitText;
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
 * The state of the counters of a key.
 *
 * @param seen the answer to a peek that ignores blocks
 * @param withBlocks the statuses from a peek that includes blocks; empty if the limits have no block rules
 * @param byHand returns the operator's block of a key, or null if there is none
 */
record KeyState(
        List<Charge> charges, Decision seen, List<LimitStatus> withBlocks, Function<Key, @Nullable BlockedKey> byHand) {
    /** Returns true if neither the store nor this node could report any state. */
    boolean isUnknown() {
        return !charges.isEmpty() && seen.limits().isEmpty();
    }

    /** Writes the limits, each with its numbers and its state. */
    void write(JsonGenerator json, KeyParts parts) throws IOException {
        json.writeStringField("decided_by", seen.decidedBy().name().toLowerCase(Locale.ROOT));
        json.writeStringField("at", seen.madeAt().toString());
        json.writeArrayFieldStart("limits");
        for (LimitStatus limit : seen.limits()) {
            write(json, limit, parts);
        }
        json.writeEndArray();
    }

    private void write(JsonGenerator json, LimitStatus limit, KeyParts parts) throws IOException {
        LimitSettings terms = limit.charge().settings();
        json.writeStartObject();
        json.writeStringField("policy", limit.policy());
        json.writeStringField("limit", limit.limit().id());
        json.writeStringField("numbers", LimitText.of(limit.limit()));
        json.writeStringField("unit", limit.limit().unit());
        json.writeStringField("counter", limit.key().counter());
        writeTexts(json, "parts", parts.of(limit.key().counter()));
        writeTexts(json, "key", limit.key().valuesOrNull());
        json.writeNumberField("capacity", limit.capacity());
        json.writeNumberField("remaining", limit.remaining());
        json.writeStringField("free_at", momentAfter(limit.resetAfter()).toString());
        writeBlock(json, limit);
        if (!limit.isEnforced()) {
            json.writeBooleanField("shadow", true);
        }
        if (terms.place() == LimitSettings.Place.LOCAL) {
            json.writeBooleanField("local", true);
        }
        if (terms.consistency() == Consistency.LEASED) {
            json.writeBooleanField("leased", true);
        }
        json.writeEndObject();
    }

    /** Writes the block that lasts longest, if both a limit and an operator have blocked the key. */
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

    /** Returns how long the limit still blocks the key, or null if it does not. */
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
