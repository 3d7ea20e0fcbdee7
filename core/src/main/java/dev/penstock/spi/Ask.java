package dev.penstock.spi;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.Request;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an engine is given: the charges of one request, and how it is to be answered. They are decided together: all are
 * made, or none.
 *
 * <p>Immutable. An ask without charges is allowed, unless the policies {@linkplain #of(StaticDecision) ruled} otherwise.
 */
@CheckReturnValue
public final class Ask {
    /** What the caller wants to come of it. */
    public enum Purpose {
        /** The charges are made where all fit. */
        DECIDE,
        /** Nothing is charged: what would be answered at this cost? */
        PEEK
    }

    /** The most charges of one request; one with a {@link BlockRule} counts twice. */
    public static final int MOST_CHARGES = 64;

    /** The time-out of an ask that has none of its own, and so is behind no guard. */
    public static final Duration USUAL_TIMEOUT = Duration.ofSeconds(1);

    /** The longest time-out; a longer acceptable delay means any delay. */
    public static final Duration LONGEST_WAIT = Duration.ofDays(366);

    static {
        // The JIT does not inline what has a class in its signature that is not loaded; few applications hold anything.
        Expect.present(Hold.class, "Hold");
        Expect.present(PermitHandle.class, "PermitHandle");
        Expect.present(StaticDecision.class, "StaticDecision");
    }

    private static final Charge[] NO_MORE = {};

    /** The first charge stands by itself: most asks have no other. */
    private final @Nullable Charge first;

    private final Charge[] rest;
    private final Purpose purpose;
    private final @Nullable Hold hold;
    private final @Nullable IdempotencyKey id;
    private final @Nullable Duration timeout;
    private final long maxDelayMicros;
    private final @Nullable StaticDecision staticDecision;

    private Ask(
            @Nullable Charge first,
            Charge[] rest,
            Purpose purpose,
            @Nullable Hold hold,
            @Nullable IdempotencyKey id,
            @Nullable Duration timeout,
            long maxDelayMicros,
            @Nullable StaticDecision staticDecision) {
        this.first = first;
        this.rest = rest;
        this.purpose = purpose;
        this.hold = hold;
        this.id = id;
        this.timeout = timeout;
        this.maxDelayMicros = maxDelayMicros;
        this.staticDecision = staticDecision;
    }

    /** An ask that decides, charges at once, and accepts any delay. */
    public static Ask of(Charge... charges) {
        Expect.between(Expect.present(charges, "charges").length, 0, MOST_CHARGES, "charges");
        for (int i = 0; i < charges.length; i++) {
            if (charges[i] == null) {
                throw Expect.refused("charges[" + i + "]", null, "a value");
            }
        }
        return new Ask(
                charges.length == 0 ? null : charges[0],
                charges.length <= 1 ? NO_MORE : Arrays.copyOfRange(charges, 1, charges.length),
                Purpose.DECIDE,
                null,
                null,
                null,
                Long.MAX_VALUE,
                null);
    }

    /** The same of one charge. */
    public static Ask of(Charge only) {
        return new Ask(Expect.present(only, "charge"), NO_MORE, Purpose.DECIDE, null, null, null, Long.MAX_VALUE, null);
    }

    public static Ask of(List<Charge> charges) {
        return of(Expect.present(charges, "charges").toArray(Charge[]::new));
    }

    /** An ask without charges, which the policies themselves answer: engines obey, and count nothing. */
    public static Ask of(StaticDecision staticDecision) {
        Expect.present(staticDecision, "staticDecision");
        return new Ask(null, NO_MORE, Purpose.DECIDE, null, null, null, Long.MAX_VALUE, staticDecision);
    }

    /** The same charges, with the request's id, time-out and longest acceptable delay. */
    public Ask forRequest(Request request) {
        Duration maxDelay = Expect.present(request, "request").maxDelay();
        if (maxDelay == null && request.idempotencyKey() == null && request.timeout() == null) {
            return this;
        }
        long delayMicros = maxDelay == null ? Long.MAX_VALUE : toMicros(maxDelay);
        return new Ask(
                first, rest, purpose, hold, request.idempotencyKey(), request.timeout(), delayMicros, staticDecision);
    }

    /** Returns an ask that charges nothing: without the hold and the id. */
    public Ask peek() {
        return new Ask(first, rest, Purpose.PEEK, null, null, timeout, maxDelayMicros, staticDecision);
    }

    /** The same, but what is allowed is held until it is settled. */
    public Ask hold(Hold wish) {
        return new Ask(first, rest, purpose, Expect.present(wish, "hold"), id, timeout, maxDelayMicros, staticDecision);
    }

    /**
     * The same under an id: an allowed answer is given again to the same charges under the same id, and not charged
     * twice, for as long as the engine remembers and, where a permit was granted, the permit lives. A denial charged
     * nothing and is decided anew. So are other charges under the id. The delay is that of the first answer, also where less is
     * accepted now.
     */
    public Ask id(String askId) {
        return id(IdempotencyKey.of(askId));
    }

    /**
     * The same under an id which, with a fingerprint, belongs to the first ask that is allowed under it: an ask of another
     * fingerprint is then denied for {@link Denied.Reason#ID_TAKEN}. One of the same fingerprint is answered the
     * same although its charges may be others by now, since policies change; then {@link Decision#limits} is empty. Once a
     * permit that was granted has ended, it is decided anew; the id stays its own.
     *
     * <p>For engines: remember an allowed answer with its ask and fingerprint. Under an id that has a fingerprint, an ask without
     * one gets the remembered answer if it {@linkplain #isSameAs asks the same}, and is otherwise decided anew without being
     * remembered. A denial is never remembered; if the id has a fingerprint already, it keeps the fingerprint and drops the
     * answer. An id without a fingerprint whose permit has ended is forgotten, even if the new ask is denied.
     */
    public Ask id(IdempotencyKey askId) {
        return new Ask(
                first, rest, purpose, hold, Expect.present(askId, "id"), timeout, maxDelayMicros, staticDecision);
    }

    /** The same under an id that no other fingerprint meets: for a part of it, where another part tells whose the id is. */
    public Ask withFingerprintInId() {
        return id == null || id.fingerprint() == null
                ? this
                : id(new IdempotencyKey(id.text() + " " + id.fingerprint(), id.fingerprint()));
    }

    /** The same without an id. */
    public Ask withoutId() {
        return id == null ? this : new Ask(first, rest, purpose, hold, null, timeout, maxDelayMicros, staticDecision);
    }

    /** The same of other charges: those of one place, or those that were looked at. */
    public Ask withCharges(List<Charge> part) {
        Ask other = of(part);
        return new Ask(other.first, other.rest, purpose, hold, id, timeout, maxDelayMicros, staticDecision);
    }

    /** The same with a longest acceptable delay. */
    public Ask maxDelay(Duration atMost) {
        Expect.present(atMost, "maxDelay");
        Expect.that(!atMost.isNegative(), "maxDelay", atMost, ">= 0");
        return new Ask(first, rest, purpose, hold, id, timeout, toMicros(atMost), staticDecision);
    }

    public int size() {
        return first == null ? 0 : 1 + rest.length;
    }

    public Charge charge(int i) {
        return i == 0 && first != null ? first : rest[i - 1];
    }

    public List<Charge> charges() {
        if (first == null) {
            return List.of();
        } else if (rest.length == 0) {
            return List.of(first);
        }
        Charge[] all = new Charge[size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = charge(i);
        }
        return List.of(all);
    }

    public Purpose purpose() {
        return purpose;
    }

    public @Nullable Hold hold() {
        return hold;
    }

    public @Nullable String id() {
        return id == null ? null : id.text();
    }

    /** What tells requests under the same id apart; null where their charges do. */
    public @Nullable String fingerprint() {
        return id == null ? null : id.fingerprint();
    }

    /** How long its caller waits at most: its time-out, or the usual one. */
    public Duration effectiveTimeout() {
        return timeout == null ? USUAL_TIMEOUT : timeout;
    }

    /** Whether its time is up that began then: its caller has been answered, and nothing is sent for it any more. */
    public boolean isOverdue(long sinceMicros, long nowMicros) {
        return nowMicros - sinceMicros > effectiveTimeout().toNanos() / 1_000;
    }

    /** The same ask with a time-out, where it has none of its own. */
    public Ask orTimeout(Duration atMost) {
        if (timeout != null) {
            return this;
        }
        Expect.micros(atMost, LONGEST_WAIT, "timeout");
        return new Ask(first, rest, purpose, hold, id, atMost, maxDelayMicros, staticDecision);
    }

    public @Nullable Duration timeout() {
        return timeout;
    }

    public long maxDelayMicros() {
        return maxDelayMicros;
    }

    /** How the policies themselves answer it; null where its charges are to be decided. */
    public @Nullable StaticDecision staticDecision() {
        return staticDecision;
    }

    /** How many replicas must have what is allowed before it counts: the most that one of the charges wants. */
    public int replicas() {
        int most = 0;
        for (int i = 0; i < size(); i++) {
            most = Math.max(most, charge(i).settings().replicas());
        }
        return most;
    }

    /**
     * Whether both ask the same of the same accounts, so that one answer can stand for the other. How long each would be
     * delayed does not matter: who asks again waits for less, and what was charged is charged.
     */
    public boolean isSameAs(Ask other) {
        if (size() != other.size() || purpose != other.purpose || !Objects.equals(hold, other.hold)) {
            return false;
        }
        for (int i = 0; i < size(); i++) {
            Charge mine = charge(i);
            Charge theirs = other.charge(i);
            if (mine.cost() != theirs.cost()
                    || mine.settings().enforcement() != theirs.settings().enforcement()
                    || !mine.key().equals(theirs.key())
                    || !mine.limit().equals(theirs.limit())) {
                return false;
            }
        }
        return true;
    }

    /** No cost at all, in each unit of these charges: what a permit is settled at that gives everything back. */
    public Costs nothing() {
        Costs nothing = Costs.NONE;
        for (Charge charge : charges()) {
            nothing = nothing.and(charge.limit().unit(), 0);
        }
        return nothing;
    }

    private static long toMicros(Duration duration) {
        return duration.compareTo(LONGEST_WAIT) > 0 ? Long.MAX_VALUE : duration.toNanos() / 1_000;
    }

    @Override
    public String toString() {
        return purpose + (staticDecision == null ? charges().toString() : "(" + staticDecision + ")");
    }
}
