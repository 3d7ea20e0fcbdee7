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
 * The input of an engine: the charges of one request, and how to answer it. Either all charges are made, or none.
 *
 * <p>Immutable. An ask without charges is allowed, unless the policies {@linkplain #of(StaticDecision) decided} it
 * themselves.
 */
@CheckReturnValue
public final class Ask {
    /** The result that the caller wants. */
    public enum Purpose {
        /** Make the charges if all of them fit. */
        DECIDE,
        /** Charge nothing, and answer as if deciding at this cost. */
        PEEK
    }

    /** Maximum number of charges of one request. A charge with a {@link BlockRule} counts twice. */
    public static final int MOST_CHARGES = 64;

    /** The timeout of an ask that has none and is not behind a guard. */
    public static final Duration USUAL_TIMEOUT = Duration.ofSeconds(1);

    /** The longest timeout. A longer accepted delay means that any delay is accepted. */
    public static final Duration LONGEST_WAIT = Duration.ofDays(366);

    static {
        // The JIT does not inline a method with an unloaded class in its signature, and few applications use these
        // classes.
        Expect.present(Hold.class, "Hold");
        Expect.present(PermitHandle.class, "PermitHandle");
        Expect.present(StaticDecision.class, "StaticDecision");
    }

    private static final Charge[] NO_MORE = {};

    /** The first charge. Most asks have no other. */
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

    /** Returns an ask that decides, charges at once, and accepts any delay. */
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

    /** Returns an ask for one charge that decides, charges at once, and accepts any delay. */
    public static Ask of(Charge only) {
        return new Ask(Expect.present(only, "charge"), NO_MORE, Purpose.DECIDE, null, null, null, Long.MAX_VALUE, null);
    }

    /** Returns an ask that decides, charges at once, and accepts any delay. */
    public static Ask of(List<Charge> charges) {
        return of(Expect.present(charges, "charges").toArray(Charge[]::new));
    }

    /**
     * Returns an ask without charges, because the policies have already decided it. Engines return that decision and
     * count nothing.
     */
    public static Ask of(StaticDecision staticDecision) {
        Expect.present(staticDecision, "staticDecision");
        return new Ask(null, NO_MORE, Purpose.DECIDE, null, null, null, Long.MAX_VALUE, staticDecision);
    }

    /** Returns this ask with the request's id, timeout and longest accepted delay. */
    public Ask forRequest(Request request) {
        Duration maxDelay = Expect.present(request, "request").maxDelay();
        if (maxDelay == null && request.idempotencyKey() == null && request.timeout() == null) {
            return this;
        }
        long delayMicros = maxDelay == null ? Long.MAX_VALUE : toMicros(maxDelay);
        return new Ask(
                first, rest, purpose, hold, request.idempotencyKey(), request.timeout(), delayMicros, staticDecision);
    }

    /** Returns this ask as a peek: it charges nothing and has no hold and no id. */
    public Ask peek() {
        return new Ask(first, rest, Purpose.PEEK, null, null, timeout, maxDelayMicros, staticDecision);
    }

    /** Returns this ask with a hold: an allowed cost is held until it is settled. */
    public Ask hold(Hold wish) {
        return new Ask(first, rest, purpose, Expect.present(wish, "hold"), id, timeout, maxDelayMicros, staticDecision);
    }

    /**
     * Returns this ask under an id. If the same charges were already allowed under this id, the engine repeats that
     * answer and charges nothing, as long as it remembers the answer and any granted permit is still alive.
     *
     * <p>A denial charged nothing, so it is not remembered and the ask is decided again. An ask with other charges
     * under the same id is decided as usual. The delay is that of the first answer, even if less is accepted now.
     */
    public Ask id(String askId) {
        return id(IdempotencyKey.of(askId));
    }

    /**
     * Returns this ask under an id with an optional fingerprint. If the id has a fingerprint, it belongs to the first
     * ask allowed under it, and an ask with another fingerprint is denied as {@link Denied.Reason#ID_TAKEN}.
     *
     * <p>An ask with the same fingerprint gets the same answer, even if its charges have changed because policies
     * changed. In that case, {@link Decision#limits} is empty. After a granted permit has ended, the ask is decided
     * again, and the id keeps its owner.
     *
     * <p>For engines: remember an allowed answer with its ask and fingerprint. If the id has a
     * fingerprint but the new ask has none, the new ask gets the remembered answer if it
     * {@linkplain #isSameAs asks the same}. Otherwise it is decided again and not
     * remembered. Never remember a denial. If the id already has a fingerprint, a denial keeps the
     * fingerprint and drops the answer. An id without a fingerprint whose permit has ended is
     * forgotten, even if the new ask is denied.
     */
    public Ask id(IdempotencyKey askId) {
        return new Ask(
                first, rest, purpose, hold, Expect.present(askId, "id"), timeout, maxDelayMicros, staticDecision);
    }

    /**
     * Returns this ask under an id that includes the fingerprint, so that asks with other fingerprints have other ids.
     * For a part of an ask, if another part decides who owns the id.
     */
    public Ask withFingerprintInId() {
        return id == null || id.fingerprint() == null
                ? this
                : id(new IdempotencyKey(id.text() + " " + id.fingerprint(), id.fingerprint()));
    }

    /** Returns this ask without an id. */
    public Ask withoutId() {
        return id == null ? this : new Ask(first, rest, purpose, hold, null, timeout, maxDelayMicros, staticDecision);
    }

    /** Returns this ask with other charges, for example those of one shard, or those that were checked. */
    public Ask withCharges(List<Charge> part) {
        Ask other = of(part);
        return new Ask(other.first, other.rest, purpose, hold, id, timeout, maxDelayMicros, staticDecision);
    }

    /** Returns this ask with the longest delay that it accepts. */
    public Ask maxDelay(Duration atMost) {
        Expect.present(atMost, "maxDelay");
        Expect.that(!atMost.isNegative(), "maxDelay", atMost, ">= 0");
        return new Ask(first, rest, purpose, hold, id, timeout, toMicros(atMost), staticDecision);
    }

    /** Returns the number of charges. */
    public int size() {
        return first == null ? 0 : 1 + rest.length;
    }

    /** Returns a charge by its index. */
    public Charge charge(int i) {
        return i == 0 && first != null ? first : rest[i - 1];
    }

    /** Returns the charges, enforced and shadow, in their order. */
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

    /** Returns the result that the caller wants. */
    public Purpose purpose() {
        return purpose;
    }

    /** Returns the hold, or null if nothing is to be held. */
    public @Nullable Hold hold() {
        return hold;
    }

    /** Returns the id, or null if there is none. */
    public @Nullable String id() {
        return id == null ? null : id.text();
    }

    /** Returns the fingerprint that distinguishes requests under the same id, or null if their charges do. */
    public @Nullable String fingerprint() {
        return id == null ? null : id.fingerprint();
    }

    /** Returns the maximum time that the caller waits: the timeout, or {@link #USUAL_TIMEOUT}. */
    public Duration effectiveTimeout() {
        return timeout == null ? USUAL_TIMEOUT : timeout;
    }

    /**
     * Returns whether the timeout, measured from {@code sinceMicros}, has elapsed. By then the caller has been
     * answered, and nothing more should be sent.
     */
    public boolean isOverdue(long sinceMicros, long nowMicros) {
        return nowMicros - sinceMicros > effectiveTimeout().toNanos() / 1_000;
    }

    /** Returns this ask with a timeout, unless it already has one. */
    public Ask orTimeout(Duration atMost) {
        if (timeout != null) {
            return this;
        }
        Expect.micros(atMost, LONGEST_WAIT, "timeout");
        return new Ask(first, rest, purpose, hold, id, atMost, maxDelayMicros, staticDecision);
    }

    /** Returns the timeout, or null if there is none. */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** Returns the longest accepted delay in microseconds. */
    public long maxDelayMicros() {
        return maxDelayMicros;
    }

    /** Returns the decision that the policies made themselves, or null if an engine must decide the charges. */
    public @Nullable StaticDecision staticDecision() {
        return staticDecision;
    }

    /** Returns the number of replicas that must acknowledge the charge: the maximum over all charges. */
    public int replicas() {
        int most = 0;
        for (int i = 0; i < size(); i++) {
            most = Math.max(most, charge(i).settings().replicas());
        }
        return most;
    }

    /**
     * Returns whether both asks make the same charges to the same accounts, so that one answer serves both.
     *
     * <p>Accepted delays are not compared, because a retry may accept less after the charge has been made.
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

    /** Returns a cost of 0 in each unit of these charges. Settling a permit at this cost gives everything back. */
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
