package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Rule;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call of {@code permit.lua}, created from the record of a permit in Redis. Immutable. */
final class PermitCall {
    /** The operation on a permit. */
    enum Verb {
        SETTLE("settle"),
        /** Settles the permit at cost 0, unless other requests were answered with it. */
        GIVE_BACK("give back"),
        RENEW("renew");

        private final String word;

        Verb(String word) {
            this.word = word;
        }
    }

    /** One held charge: its account's keys, the hold, its unit, its cost, and its rule as text. */
    private record Part(String state, String holds, String entries, String hold, String unit, long cost, String rule) {
        static Part of(String lines) {
            String[] line = lines.split("\n", 7); // the unit comes last, because only it can contain a line break
            return new Part(line[0], line[1], line[2], line[3], line[6], Long.parseLong(line[4]), line[5]);
        }
    }

    private final Verb verb;
    private final String permitId;
    private final String key;
    private final @Nullable Costs actual;
    private final long rememberMillis;
    private final String requestKey;
    private final List<Part> parts;
    private final List<String> ruleIds;

    PermitCall(
            Verb verb,
            String permitId,
            String key,
            Map<String, byte[]> record,
            @Nullable Costs actual,
            long rememberMillis) {
        this.verb = verb;
        this.permitId = permitId;
        this.key = key;
        this.actual = actual;
        this.rememberMillis = rememberMillis;
        byte[] request = record.get("id");
        this.requestKey = request == null || request.length == 0 ? key : text(request);
        this.parts = new ArrayList<>();
        byte[] part = record.get("part1");
        while (part != null) {
            parts.add(Part.of(text(part)));
            part = record.get("part" + (parts.size() + 1));
        }
        this.ruleIds = new ArrayList<>(Collections.nCopies(parts.size(), Integer.toString(RuleIds.NONE)));
    }

    private PermitCall(PermitCall other, List<String> ruleIds) {
        this.verb = other.verb;
        this.permitId = other.permitId;
        this.key = other.key;
        this.actual = other.actual;
        this.rememberMillis = other.rememberMillis;
        this.requestKey = other.requestKey;
        this.parts = other.parts;
        this.ruleIds = ruleIds;
    }

    /** Returns the rule ids that the state of each part may have, in the format of {@code account.lua}. */
    List<String> ruleIds() {
        return ruleIds;
    }

    /** Returns this call with more rule ids. */
    PermitCall knowing(List<String> moreRuleIds) {
        return new PermitCall(this, moreRuleIds);
    }

    /** Returns the key of the state that a part is held in. */
    String state(int i) {
        return parts.get(i).state;
    }

    List<String> keys() {
        List<String> keys = new ArrayList<>(2 + 3 * parts.size());
        keys.add(key);
        keys.add(requestKey);
        for (Part part : parts) {
            keys.add(part.state);
            keys.add(part.holds);
            keys.add(part.entries);
        }
        return keys;
    }

    List<String> arguments(long fromMicros, long toMicros) {
        List<String> arguments = new ArrayList<>(4 + 5 * parts.size());
        arguments.add(Integer.toString(parts.size()));
        arguments.add(verb.word);
        arguments.add(Long.toString(rememberMillis));
        arguments.add(permitId);
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            long cost = actual == null ? part.cost : actual.amount(part.unit, part.cost);
            arguments.add(part.hold);
            arguments.add(Rule.wordsFor(part.rule, fromMicros, toMicros));
            arguments.add(part.unit);
            arguments.add(Long.toString(cost));
            arguments.add(ruleIds.get(i));
        }
        return arguments;
    }

    /** Returns the input that the script needs before it can end the permit, or null if it has ended it. */
    static @Nullable MissingInput missing(List<?> reply) {
        return switch (text(reply.get(0))) {
            case "missing_rule_ids" -> new MissingInput.RuleNumbers(text(reply.get(1)));
            case "missing_boundaries" -> new MissingInput.Boundaries((Long) reply.get(1));
            default -> null;
        };
    }

    static Settlement settlement(List<?> answer) {
        String how = text(answer.get(0));
        return switch (how) {
            case "unknown", "kept" -> Settlement.unknown();
            case "expired" -> Settlement.expired();
            case "renewed" -> Settlement.renewed(Instant.EPOCH.plus((Long) answer.get(1), ChronoUnit.MICROS));
            case "settled" -> settled(answer);
            default -> throw new IllegalStateException("permit.lua: " + how + " (expected: a known result)");
        };
    }

    /** Returns the combined answer for two parts of one permit. */
    static Settlement together(Settlement one, Settlement other) {
        if (one.status() != other.status()) {
            // Settled in part is settled; renewed in part is not renewed.
            boolean settled = one.status() == Settlement.Status.SETTLED || other.status() == Settlement.Status.SETTLED;
            return (one.status().compareTo(other.status()) < 0) == settled ? one : other;
        }
        Settlement both = one.and(other);
        Instant first = one.expiresAt();
        Instant second = other.expiresAt();
        boolean earlier = first != null && second != null && second.isBefore(first);
        return new Settlement(both.status(), both.settled(), both.charged(), earlier ? second : first);
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, UTF_8);
    }

    private static Settlement settled(List<?> answer) {
        Settlement settled = Settlement.settled(Costs.NONE);
        for (int i = 1; i < answer.size(); i += 3) {
            settled = settled.and(text(answer.get(i)), (Long) answer.get(i + 1), (Long) answer.get(i + 2));
        }
        return settled;
    }
}
