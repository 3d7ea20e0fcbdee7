package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.Hold;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.PermitHandle;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One call of {@code decide.lua}: turns an ask into keys and arguments, and the reply into a decision. Immutable. */
final class DecideCall {
    /** The number of reply elements before those of the charges, and the number of elements per charge. */
    private static final int HEAD = 4;

    private static final int PER_CHARGE = 10;

    /** Outcomes of {@code decide.lua}. Any other number is a denial. */
    private static final long ALLOWED = 1;

    private static final long ID_TAKEN = 2;
    private static final long ALLOWED_EARLIER = 3;
    private static final long MISSING_RULE_IDS = 4;
    private static final long MISSING_BOUNDARIES = 5;

    private final Ask ask;
    private final KeyNames names;
    private final @Nullable String idKey;
    private final @Nullable PermitId permitId;
    private final long rememberMillis;
    private final List<String> ruleIds;

    /**
     * Creates a call.
     *
     * @param idKey the key of the answer under the ask's id; null if it has no id
     * @param permitId the id of the permit if one is granted; null if nothing can be held
     * @param ruleIds the rule ids that the state of each charge may have, in the format of {@code account.lua}
     */
    DecideCall(
            Ask ask,
            KeyNames names,
            @Nullable String idKey,
            @Nullable PermitId permitId,
            long rememberMillis,
            List<String> ruleIds) {
        this.ask = ask;
        this.names = names;
        this.idKey = idKey;
        this.permitId = permitId;
        this.rememberMillis = rememberMillis;
        this.ruleIds = ruleIds;
    }

    /** Returns this call with more rule ids. */
    DecideCall knowing(List<String> moreRuleIds) {
        return new DecideCall(ask, names, idKey, permitId, rememberMillis, moreRuleIds);
    }

    List<String> ruleIds() {
        return ruleIds;
    }

    /** Returns the counter of a charge. */
    String counter(int i) {
        return ask.charge(i).key().counter();
    }

    /** Returns whether an allowed answer to this ask may hold something. */
    static boolean mayHold(Ask ask) {
        if (ask.purpose() == Ask.Purpose.PEEK) {
            return false;
        }
        return ask.hold() != null
                || ask.charges().stream().anyMatch(charge -> charge.limit().algorithm() instanceof Concurrency);
    }

    /** Returns a key in the shard that decides the ask. Empty if the ask has no charges. */
    String key() {
        return ask.size() == 0 ? "" : names.state(ask.charge(0));
    }

    List<String> keys() {
        List<String> keys = new ArrayList<>(3 * ask.size() + 2);
        for (Charge charge : ask.charges()) {
            names.addAccount(charge, keys);
        }
        if (idKey != null) {
            keys.add(idKey);
        }
        if (permitId != null) {
            keys.add(names.permit(permitId));
        }
        return keys;
    }

    /** Returns the arguments, with the calendar windows between these times. */
    List<String> arguments(long fromMicros, long toMicros) {
        List<String> arguments = new ArrayList<>(9 + 5 * ask.size());
        Hold hold = ask.hold();
        long maxDelay = ask.maxDelayMicros();
        arguments.add(Integer.toString(ask.size()));
        arguments.add(ask.purpose() == Ask.Purpose.PEEK ? "peek" : "decide");
        arguments.add(Long.toString(maxDelay == Long.MAX_VALUE ? -1 : maxDelay));
        arguments.add(permitId == null ? "" : permitId.text());
        arguments.add(Long.toString(hold == null ? 0 : hold.ttl().toMillis() * 1_000));
        arguments.add(hold != null && hold.onExpiry() == Hold.Expiry.GIVE_BACK ? "given_back" : "charged");
        arguments.add(ask.id() == null ? "" : AskFingerprint.of(ask));
        arguments.add(Long.toString(rememberMillis));
        String owner = ask.fingerprint();
        arguments.add(owner == null ? "" : owner);
        for (int i = 0; i < ask.size(); i++) {
            Charge charge = ask.charge(i);
            arguments.add(charge.limit().rule().words(fromMicros, toMicros));
            arguments.add(charge.isEnforced() ? "enforced" : "shadow");
            arguments.add(Long.toString(charge.cost()));
            arguments.add(charge.limit().unit());
            arguments.add(ruleIds.get(i));
        }
        return arguments;
    }

    /** Returns the input that the script needs before it can decide, or null if it has decided. */
    static @Nullable MissingInput missing(List<?> reply) {
        long outcome = number(reply, 1);
        if (outcome == MISSING_RULE_IDS) {
            return new MissingInput.RuleNumbers(text(reply.get(HEAD)));
        }
        return outcome == MISSING_BOUNDARIES ? new MissingInput.Boundaries(number(reply, HEAD)) : null;
    }

    /** Returns the answer in the reply to an ask that was decided. */
    StoreAnswer answer(List<?> answer) {
        long now = number(answer, 0);
        long outcome = number(answer, 1);
        if (outcome == ID_TAKEN) {
            return StoreAnswer.idTaken(now);
        } else if (outcome == ALLOWED_EARLIER) {
            long turnMicros = TimeUnit.SECONDS.toMicros(number(answer, HEAD)) + number(answer, HEAD + 1);
            return StoreAnswer.unseen(now, Math.max(0, turnMicros - now), grant(answer));
        }
        Snapshot[] snapshots = new Snapshot[ask.size()];
        long exceeded = 0;
        long delay = 0;
        for (int i = 0; i < snapshots.length; i++) {
            int at = HEAD + PER_CHARGE * i;
            exceeded |= number(answer, at) << i;
            snapshots[i] = snapshot(ask.charge(i), answer, at + 1, HEAD + PER_CHARGE * snapshots.length + i);
            if (ask.charge(i).isEnforced() && number(answer, at) == 0 && number(answer, at + 9) > 0) {
                delay = Math.max(delay, ask.charge(i).limit().rule().waitMicros(number(answer, at + 9), now));
            }
        }
        return new StoreAnswer(
                outcome == ALLOWED ? StoreAnswer.Kind.ALLOWED : StoreAnswer.Kind.DENIED,
                now,
                snapshots,
                exceeded,
                delay,
                grant(answer));
    }

    /** @param lastExpiryAt the index of the last expiry, which answers remembered by earlier versions do not have */
    private static Snapshot snapshot(Charge charge, List<?> answer, int at, int lastExpiryAt) {
        long lastExpiry = lastExpiryAt < answer.size() ? number(answer, lastExpiryAt) : -1;
        Rule rule = charge.limit().rule().under(number(answer, at + 6));
        return new Snapshot(
                rule,
                number(answer, at),
                number(answer, at + 1),
                number(answer, at + 2),
                charge.cost(),
                number(answer, at + 7),
                number(answer, at + 3),
                orNever(number(answer, at + 4)),
                lastExpiry < 0 ? Snapshot.UNKNOWN : lastExpiry,
                orNever(number(answer, at + 5)));
    }

    private static @Nullable PermitHandle grant(List<?> answer) {
        long expiry = number(answer, 2);
        return expiry < 0 ? null : new PermitHandle(text(answer.get(3)), Instant.EPOCH.plus(expiry, ChronoUnit.MICROS));
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, UTF_8);
    }

    private static long orNever(long micros) {
        return micros < 0 ? Long.MAX_VALUE : micros;
    }

    private static long number(List<?> answer, int at) {
        return (Long) answer.get(at);
    }
}
