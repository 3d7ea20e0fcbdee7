package dev.penstock;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.algorithm.State;
import dev.penstock.engine.NewKeyBudget;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import dev.penstock.internal.RetryAfterSeconds;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.IdempotencyKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The request must not go on; nothing was charged. */
public final class Denied extends Decision {
    /**
     * What the caller should do with a request that a limit denies. The policy chooses it.
     *
     * <p>The limiter does nothing but pass it on ({@link Denied#action}): such a request has charged nothing, and is denied.
     *
     * @param word letters, digits and {@code -_.}, so that it can be passed on in any header
     */
    public record Action(String word) {
        /** Turn the request away. */
        public static final Action DENY = new Action("deny");

        /** Let the client prove first that it is one to be served. */
        public static final Action CHALLENGE = new Action("challenge");

        /** Let the client wait. */
        public static final Action DELAY = new Action("delay");

        private static final int LONGEST = 64;

        public Action {
            Expect.text(word, "action");
            boolean plain = word.length() <= LONGEST && word.chars().allMatch(Action::isPlain);
            Expect.that(plain, "action", word, "at most " + LONGEST + " letters, digits and -_.");
        }

        /** A word of the policy's own choice; one of the words above is that action. */
        public static Action tag(String word) {
            return new Action(word);
        }

        private static boolean isPlain(int c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-_.".indexOf(c) >= 0;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /** Why. */
    public enum Reason {
        /** A limit does not have what was asked for. */
        LIMIT_EXCEEDED,
        /** The key of the binding limit is blocked, for this denial or earlier ones. */
        BLOCKED,
        /** The engine has no room: it keeps the maximum number of live accounts or permits, or this caller has used up its share of the permits. */
        STORE_FULL,
        /** The request needs a new key in the store, and its policy has used up its budget of them: see {@link NewKeyBudget}. */
        TOO_MANY_NEW_KEYS,
        /** The store did not answer, and a policy says to deny then. */
        STORE_FAILED,
        /** This node has more requests than it can handle. The store is not at fault, and no limit was exceeded. */
        OVERLOADED,
        /** The permit expired while the request waited for its turn: its term is shorter than the queue. */
        PERMIT_EXPIRED,
        /** The policies rule so, whatever was counted: see {@link Decision#staticDecision}. */
        LISTED,
        /** The id is that of another request: see {@link Ask#id(IdempotencyKey)}. */
        ID_TAKEN
    }

    private final Reason reason;
    private final long retryMicros;
    private final @Nullable Charge newKey;

    /** A denial by what was seen. */
    public Denied(Evidence evidence) {
        super(evidence);
        this.reason = Reason.LIMIT_EXCEEDED;
        this.retryMicros = 0;
        this.newKey = null;
    }

    /** A denial by the store of one charge, on nothing but its rule's three numbers. */
    public Denied(Charge only, State plain, long madeAtMicros) {
        super(only, plain, madeAtMicros);
        this.reason = Reason.LIMIT_EXCEEDED;
        this.retryMicros = 0;
        this.newKey = null;
    }

    /** A denial for another reason than a limit, with a guess at when to try again. */
    public Denied(Evidence evidence, Reason reason, Duration retryEstimate) {
        this(
                evidence,
                Expect.present(reason, "reason"),
                Durations.micros(Expect.present(retryEstimate, "retryEstimate")),
                null);
    }

    private Denied(Evidence evidence, Reason reason, long retryMicros, @Nullable Charge newKey) {
        super(evidence);
        this.reason = reason;
        this.retryMicros = retryMicros;
        this.newKey = newKey;
    }

    /**
     * A denial because the charge, or the permit that the request asks for under its policy, needs a new key.
     *
     * @param retryMicros how long until the policy may make new keys again
     */
    public static Denied tooManyNewKeys(Ask ask, Charge newKey, long madeAtMicros, long retryMicros) {
        return new Denied(
                Evidence.none(ask, madeAtMicros, DecidedBy.NEW_KEY_BUDGET),
                Reason.TOO_MANY_NEW_KEYS,
                retryMicros,
                newKey);
    }

    /** A denial of an ask whose id is another's; no account was looked at. */
    public static Denied idTaken(Ask ask, long madeAtMicros) {
        return new Denied(Evidence.none(ask, madeAtMicros, DecidedBy.STORE), Reason.ID_TAKEN, Duration.ZERO);
    }

    /**
     * A denial by a node that has more requests than it can handle. No account was looked at.
     *
     * @param retryEstimate when the node may have caught up
     */
    public static Denied overloaded(Ask ask, long madeAtMicros, Duration retryEstimate) {
        return new Denied(Evidence.none(ask, madeAtMicros, DecidedBy.NODE), Reason.OVERLOADED, retryEstimate);
    }

    @Override
    public Denied on(Evidence other) {
        return new Denied(other, reason, retryMicros, newKey);
    }

    /** The charge that needs a new key, or whose policy grants the permit that does; null for any other reason. */
    public @Nullable Charge newKey() {
        return newKey;
    }

    public Reason reason() {
        LimitStatus binding = reason == Reason.LIMIT_EXCEEDED ? binding() : null;
        return binding != null && binding.isBlocked() ? Reason.BLOCKED : reason;
    }

    /** What the caller is to do: as the policy of the {@linkplain #binding binding} limit says. */
    public Action action() {
        LimitStatus binding = binding();
        return binding == null ? Action.DENY : binding.charge().settings().action();
    }

    /** When it may be worth trying again: the latest over all limits that denied; never, where a list did or the id is taken. */
    public Retry retry() {
        if (reason == Reason.LISTED || reason == Reason.ID_TAKEN) {
            return new Retry.Never();
        }
        LimitStatus latest = binding();
        Retry retry = latest == null ? null : latest.retry();
        return retry == null ? retryAfter(retryMicros) : retry;
    }

    /**
     * The value for a {@code Retry-After} header: the wait of {@link #retry} in whole seconds, rounded up, at least 1.
     *
     * <p>If no waiting helps ({@link Retry.Never}), this is {@value RetryAfterSeconds#NEVER}, the largest number of seconds
     * that every HTTP client understands. A server that can leave the header out should do so then.
     */
    public long retryAfterSeconds() {
        return RetryAfterSeconds.ofRetry(retry().waitFor());
    }

    @Override
    public @Nullable LimitStatus binding() {
        LimitStatus latest = null;
        Retry last = null;
        for (LimitStatus status : limits()) {
            Retry retry = status.retry();
            if (retry == null || !status.isEnforced()) {
                continue;
            }
            if (last == null || last.orLater(retry) != last) {
                latest = status;
                last = retry;
            }
        }
        return latest;
    }

    @Override
    public String toString() {
        LimitStatus binding = binding();
        return "Denied(by " + decidedBy() + ", " + (binding == null ? reason : binding.limit()) + ", retry " + retry()
                + ")";
    }
}
