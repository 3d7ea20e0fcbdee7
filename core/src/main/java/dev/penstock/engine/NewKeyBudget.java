package dev.penstock.engine;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.Rule;
import dev.penstock.internal.BoundedMap;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.internal.cache.KeysThisSecond;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.NewKeyListener;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An engine around a store that limits how many new keys each policy creates there per second, so that a caller who
 * invents keys cannot fill the store. Put it directly around the store, inside all other engines.
 *
 * <p>Only <em>long-lived</em> keys count: those that the store keeps for more than a minute after their first charge,
 * and permits that live for more than a minute. This depends only on the limit and the cost. Windows, logs, lockouts
 * and slots of more than a minute are long-lived. So are buckets if the cost takes more than a minute to come back. A
 * sliding window of at most a minute is not, although the store keeps its key for up to two windows. Short-lived keys
 * cannot pile up. Asks that create only such keys are passed on after one comparison per charge.
 *
 * <p>The budget is counted from the store's answers, in whole seconds of this node's clock. While a policy's budget is
 * used up, an ask that would hold a long-lived permit under that policy is denied at once. An ask with a long-lived
 * charge first peeks. It is denied if one of those accounts has nothing counted yet, and otherwise decided as usual. So
 * charges on existing keys are still decided, whichever node created the keys, at the cost of a second round trip. The
 * denial is {@link Denied.Reason#TOO_MANY_NEW_KEYS} by {@link DecidedBy#NEW_KEY_BUDGET}.
 *
 * <p>A policy can exceed its budget only by the keys of decisions that are already in flight when the budget runs out.
 * A shadow charge never denies. Over the budget, it is left out of the ask and not counted, except under a request id,
 * where it is made as usual. A request that the store may remember under its id is not denied, so a retry gets its
 * first answer again. If that answer created a key, the key is counted again.
 *
 * <p>Thread-safe and bounded. This engine has no thread.
 */
public final class NewKeyBudget extends ForwardingEngine {
    /** The default number of new keys per policy and second. */
    public static final int DEFAULT_PER_SECOND = 10_000;

    /** The largest accepted number of new keys per policy and second. */
    public static final int MOST_PER_SECOND = 100_000_000;

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long SECOND_MICROS = 1_000_000;
    private static final int MOST_POLICIES = 20_000;

    private final Clock clock;
    private final long perSecond;
    private final NewKeyListener listener;
    private final BoundedMap<String, KeysThisSecond> policies = new BoundedMap<>(MOST_POLICIES);

    private NewKeyBudget(Builder builder) {
        super(builder.store);
        this.clock = builder.clock;
        this.perSecond = builder.perSecond;
        this.listener = builder.listener;
    }

    /** Returns a budget around the store, with default settings. It closes the store. */
    @CheckReturnValue
    public static NewKeyBudget around(Engine store) {
        return builder(store).build();
    }

    /** Returns a builder of a budget around the store. The budget closes the store. */
    @CheckReturnValue
    public static Builder builder(Engine store) {
        return new Builder(StackOrder.inside(NewKeyBudget.class, store));
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        if (Expect.present(ask, "ask").purpose() == Ask.Purpose.PEEK || !mayMakeLongLivedKeys(ask)) {
            return inner.decide(ask);
        }
        long now = clock.micros();
        Charge granting = holdsLongLivedPermit(ask) ? granting(ask) : null;
        if (granting != null && granting.isEnforced() && isUsedUp(granting, now)) {
            return denyUnlessRemembered(ask, granting, now, now);
        }
        List<Charge> inDoubt = inDoubt(ask, now);
        return inDoubt.isEmpty() ? decideAndCount(ask, ask) : decideExisting(ask, inDoubt, now);
    }

    private static boolean mayMakeLongLivedKeys(Ask ask) {
        for (int i = 0; i < ask.size(); i++) {
            if (isLongLived(ask.charge(i))) {
                return true;
            }
        }
        Hold hold = ask.hold();
        return hold != null && hold.ttl().compareTo(MINUTE) > 0 && ask.size() > 0;
    }

    private static boolean isLongLived(Charge charge) {
        return charge.limit().isLongLived(charge.cost());
    }

    /**
     * Returns whether the ask gets a permit that lives for more than a minute. A permit lives as long as the shortest
     * among the ask's hold and the settings of its slots.
     */
    private static boolean holdsLongLivedPermit(Ask ask) {
        Hold hold = ask.hold();
        Duration shortest = hold == null ? null : hold.ttl();
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).limit().algorithm() instanceof Concurrency slots
                    && (shortest == null || slots.ttl().compareTo(shortest) < 0)) {
                shortest = slots.ttl();
            }
        }
        return shortest != null && shortest.compareTo(MINUTE) > 0;
    }

    /**
     * Returns the charge whose policy is responsible for the ask's permit: the first enforced charge, or the first
     * charge if none is enforced.
     */
    private static Charge granting(Ask ask) {
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).isEnforced()) {
                return ask.charge(i);
            }
        }
        return ask.charge(0);
    }

    private boolean isUsedUp(Charge charge, long now) {
        KeysThisSecond keys = policies.get(charge.settings().policy());
        return keys != null && keys.in(Math.floorDiv(now, SECOND_MICROS)) >= perSecond;
    }

    /** Returns the long-lived charges whose policies have used up their budget. */
    private List<Charge> inDoubt(Ask ask, long now) {
        List<Charge> found = List.of();
        for (int i = 0; i < ask.size(); i++) {
            Charge charge = ask.charge(i);
            if (isLongLived(charge) && isUsedUp(charge, now)) {
                found = found.isEmpty() ? new ArrayList<>() : found;
                found.add(charge);
            }
        }
        return found;
    }

    /** Peeks first, and decides only if no new key is needed. */
    private Reply<Decision> decideExisting(Ask ask, List<Charge> inDoubt, long sinceMicros) {
        Reply<Decision> look = inner.decide(ask.withCharges(inDoubt).peek());
        Decision ready = look.ifReady();
        if (ready != null) {
            return decideAfter(ask, ready, sinceMicros);
        }
        return Reply.later(look.whenReady()
                .thenCompose(seen -> ask.isOverdue(sinceMicros, clock.micros())
                        ? CompletableFuture.failedFuture(NotCharged.overdue())
                        : decideAfter(ask, seen, sinceMicros).whenReady()));
    }

    private Reply<Decision> decideAfter(Ask ask, Decision look, long sinceMicros) {
        Evidence seen = look.evidence();
        List<Charge> skipped = new ArrayList<>();
        for (int i = 0; i < seen.size(); i++) {
            Charge charge = seen.charge(i);
            if (used(seen, i) > 0) {
                continue;
            }
            if (charge.isEnforced()) {
                return denyUnlessRemembered(ask, charge, seen.madeAtMicros(), sinceMicros);
            }
            skipped.add(charge);
        }
        return skipped.isEmpty() || ask.id() != null ? decideAndCount(ask, ask) : decideWithout(skipped, ask);
    }

    /** Returns the permits that the account has counted or held. */
    private static long used(Evidence seen, int i) {
        Rule rule = seen.charge(i).limit().rule();
        return rule.capacity() - rule.remaining(seen.snapshot(i), seen.seenAtMicros(i));
    }

    private Reply<Decision> decideWithout(List<Charge> skipped, Ask ask) {
        List<Charge> rest = new ArrayList<>(ask.charges());
        for (Charge charge : skipped) {
            rest.remove(charge);
            listener.onSkipped(charge.settings().policy());
        }
        Reply<Decision> reply = decideAndCount(ask.withCharges(rest), ask);
        Decision ready = reply.ifReady();
        return ready != null
                ? answering(ask, ready)
                : Reply.later(reply.whenReady().thenApply(decision -> answering(ask, decision)));
    }

    private static Decision answering(Ask ask, Decision ofTheRest) {
        return ofTheRest.on(ofTheRest.evidence().of(ask, ofTheRest.decidedBy()));
    }

    /** Denies, unless the store may have allowed the ask before under its id. In that case, the store decides. */
    private Reply<Decision> denyUnlessRemembered(Ask ask, Charge newKey, long madeAtMicros, long now) {
        if (ask.id() == null) {
            return denied(ask, newKey, madeAtMicros, now);
        }
        Reply<Boolean> remembered = inner.mayRemember(ask);
        Boolean ready = remembered.ifReady();
        if (ready != null) {
            return ready ? decideAndCount(ask, ask) : denied(ask, newKey, madeAtMicros, now);
        }
        return Reply.later(remembered
                .whenReady()
                .thenCompose(
                        may -> (may ? decideAndCount(ask, ask) : denied(ask, newKey, madeAtMicros, now)).whenReady()));
    }

    private Denied denied(Ask ask, Charge newKey, long madeAtMicros, long now) {
        listener.onDenied(newKey.settings().policy());
        long untilNextSecond = SECOND_MICROS - Math.floorMod(now, SECOND_MICROS);
        return Denied.tooManyNewKeys(ask, newKey, madeAtMicros, untilNextSecond);
    }

    /**
     * Decides an ask and counts the new keys of the answer.
     *
     * @param ask the charges that the store decides
     * @param whole the ask with the charges that were left out
     */
    private Reply<Decision> decideAndCount(Ask ask, Ask whole) {
        Reply<Decision> reply = inner.decide(ask);
        Decision ready = reply.ifReady();
        if (ready != null) {
            count(whole, ready);
            return reply;
        }
        return Reply.later(reply.whenReady().thenApply(decision -> {
            count(whole, decision);
            return decision;
        }));
    }

    private void count(Ask ask, Decision decision) {
        if (!(decision instanceof Allowed allowed) || decision.decidedBy() != DecidedBy.STORE) {
            return;
        }
        long second = Math.floorDiv(clock.micros(), SECOND_MICROS);
        Evidence seen = decision.evidence();
        for (int i = 0; i < seen.size(); i++) {
            if (isLongLived(seen.charge(i)) && !seen.isExceeded(i) && isFirst(seen, i)) {
                count(seen.charge(i), second);
            }
        }
        if (allowed.permitHandle() != null && holdsLongLivedPermit(ask)) {
            count(granting(ask), second);
        }
    }

    /**
     * Returns whether this is the first charge of its account. If several charges share an account, only one of them is
     * the first.
     */
    private static boolean isFirst(Evidence seen, int i) {
        long cost = seen.charge(i).cost();
        return seen.snapshot(i).cost() == cost
                && used(seen, i) == Math.min(cost, seen.charge(i).limit().capacity());
    }

    private void count(Charge charge, long second) {
        String policy = charge.settings().policy();
        policies.getOrAdd(policy, KeysThisSecond::new).add(second);
        listener.onNewKey(policy);
    }

    /** Builds a {@link NewKeyBudget}. Not thread-safe. */
    public static final class Builder {
        private final Engine store;
        private Clock clock = Clock.system();
        private long perSecond = DEFAULT_PER_SECOND;
        private NewKeyListener listener = NewKeyListener.NONE;

        private Builder(Engine store) {
            this.store = store;
        }

        /** Sets the clock that defines the seconds of the budget; {@link Clock#system} by default. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /**
         * Sets how many new long-lived keys each policy may create per second; {@value #DEFAULT_PER_SECOND} by default.
         */
        public Builder perSecond(long keys) {
            perSecond = checkPerSecond(keys);
            return this;
        }

        static long checkPerSecond(long keys) {
            return Expect.between(keys, 1, MOST_PER_SECOND, "perSecond");
        }

        /** Sets the listener that is informed of new keys, denials and skipped shadow charges; none by default. */
        public Builder listener(NewKeyListener watching) {
            listener = Expect.present(watching, "listener");
            return this;
        }

        /** Builds the budget. */
        @CheckReturnValue
        public NewKeyBudget build() {
            return new NewKeyBudget(this);
        }
    }
}
