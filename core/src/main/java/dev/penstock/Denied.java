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

/**
 * A decision that denies the request and charges nothing, with one exception: if the store or a replica was asked but
 * did not answer in time, the request may have been charged. Immutable.
 */
public final class Denied extends Decision {
    /**
     * The action that the caller should take when a limit denies. The policy chooses it, and the limiter only passes it
     * on.
     *
     * @param word letters, digits and {@code -_.}, so that it can be sent in any header
     */
    public record Action(String word) {
        /** Reject the request. */
        public static final Action DENY = new Action("deny");

        /** Let the client pass a challenge first, such as a captcha. */
        public static final Action CHALLENGE = new Action("challenge");

        /** Let the client wait. */
        public static final Action DELAY = new Action("delay");

        private static final int LONGEST = 64;

        public Action {
            Expect.text(word, "action");
            boolean plain = word.length() <= LONGEST && word.chars().allMatch(Action::isPlain);
            Expect.that(plain, "action", word, "at most " + LONGEST + " letters, digits and -_.");
        }

        /**
         * Returns an action with this word. {@code deny}, {@code challenge} and {@code delay} return actions equal to
         * the constants.
         */
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

    /** The reason for a denial. */
    public enum Reason {
        /** A limit does not have enough left. */
        LIMIT_EXCEEDED,
        /** The key is blocked: because of this denial or earlier ones, or by an operator. */
        BLOCKED,
        /**
         * The engine has no room. It holds the maximum number of live accounts or permits, or every
         * key of this request already has the maximum number of permits for one caller.
         */
        STORE_FULL,
        /**
         * The request needs a new key in the store, and its policy has used up its budget of new keys. See {@link
         * NewKeyBudget}.
         */
        TOO_MANY_NEW_KEYS,
        /** The store did not answer, and the failure mode of a policy is to deny. */
        STORE_FAILED,
        /**
         * This node has more requests than it can handle. The store is not at fault, and no limit was exceeded. A
         * request that waited for the store may have been charged.
         */
        OVERLOADED,
        /** The permit expired while the request waited for its turn in a leaky bucket. */
        PERMIT_EXPIRED,
        /** A deny list or the default denies. See {@link Decision#staticDecision}. */
        LISTED,
        /** The id belongs to another request. See {@link Ask#id(IdempotencyKey)}. */
        ID_TAKEN
    }

    private final Reason reason;
    private final long retryMicros;
    private final @Nullable Charge newKey;

    /** Creates a denial by limits. For engines. */
    public Denied(Evidence evidence) {
        super(evidence);
        this.reason = Reason.LIMIT_EXCEEDED;
        this.retryMicros = 0;
        this.newKey = null;
    }

    /** Creates a denial of one charge by the store, from the three numbers of the account's state. For engines. */
    public Denied(Charge only, State plain, long madeAtMicros) {
        super(only, plain, madeAtMicros);
        this.reason = Reason.LIMIT_EXCEEDED;
        this.retryMicros = 0;
        this.newKey = null;
    }

    /** Creates a denial that no limit caused, with an estimate of when to retry. For engines. */
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
     * Creates a denial because the budget of new keys is used up. For engines.
     *
     * @param newKey the charge that needs a new key. If only the permit needs one, a charge of the
     *     policy whose budget is used up
     * @param retryMicros how long until the policy may create new keys again
     */
    public static Denied tooManyNewKeys(Ask ask, Charge newKey, long madeAtMicros, long retryMicros) {
        return new Denied(
                Evidence.none(ask, madeAtMicros, DecidedBy.NEW_KEY_BUDGET),
                Reason.TOO_MANY_NEW_KEYS,
                retryMicros,
                newKey);
    }

    /** Creates a denial of an ask whose id belongs to another request. No account was checked. For engines. */
    public static Denied idTaken(Ask ask, long madeAtMicros) {
        return new Denied(Evidence.none(ask, madeAtMicros, DecidedBy.STORE), Reason.ID_TAKEN, Duration.ZERO);
    }

    /**
     * Creates a denial by a node that has more requests than it can handle. No account was checked. For engines.
     *
     * @param retryEstimate how long until the node may have caught up
     */
    public static Denied overloaded(Ask ask, long madeAtMicros, Duration retryEstimate) {
        return new Denied(Evidence.none(ask, madeAtMicros, DecidedBy.NODE), Reason.OVERLOADED, retryEstimate);
    }

    @Override
    public Denied on(Evidence other) {
        return new Denied(other, reason, retryMicros, newKey);
    }

    /**
     * Returns the charge that needs a new key. If only the permit needs one, returns a charge of
     * the policy whose budget is used up. Null for every reason other than {@link
     * Reason#TOO_MANY_NEW_KEYS}.
     */
    public @Nullable Charge newKey() {
        return newKey;
    }

    /** Returns the reason for the denial. */
    public Reason reason() {
        LimitStatus binding = reason == Reason.LIMIT_EXCEEDED ? binding() : null;
        return binding != null && binding.isBlocked() ? Reason.BLOCKED : reason;
    }

    /**
     * Returns what the caller should do: the action of the {@linkplain #binding binding} limit's policy, or {@link
     * Action#DENY} if no limit denied.
     */
    public Action action() {
        LimitStatus binding = binding();
        return binding == null ? Action.DENY : binding.charge().settings().action();
    }

    /**
     * Returns when to retry: the latest time over all limits that denied. It is {@link Retry.Never} if the cost is
     * above a limit's capacity, if a deny list or the default denied, or if the id belongs to another request.
     */
    public Retry retry() {
        if (reason == Reason.LISTED || reason == Reason.ID_TAKEN) {
            return new Retry.Never();
        }
        LimitStatus latest = binding();
        Retry retry = latest == null ? null : latest.retry();
        return retry == null ? retryAfter(retryMicros) : retry;
    }

    /**
     * Returns the value for a {@code Retry-After} header: the wait of {@link #retry} in whole seconds, rounded up, at
     * least 1.
     *
     * <p>If waiting does not help ({@link Retry.Never}), this is {@value RetryAfterSeconds#NEVER}, the largest number
     * that every HTTP client understands. In that case, omit the header if you can.
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
