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
 * An engine around a store that bounds how many new keys each policy makes there per second, so that a caller who invents
 * keys cannot fill the store. It belongs directly around the store, inside all other engines.
 *
 * <p>Only <em>long-lived</em> keys count: those that the store keeps for more than a minute after their first charge, and
 * permits that live for more than a minute. It depends on the limit and the cost alone: windows, logs, lockouts and slots of
 * more than a minute; buckets to which the cost takes more than a minute to come back. Short-lived keys cannot pile up, and
 * asks that make only such keys pass through at the price of one comparison per charge.
 *
 * <p>The budget is counted from the store's answers, in whole seconds of this node's clock. While a policy's budget is used
 * up, an ask that would hold a long-lived permit under that policy is denied at once. An ask with a long-lived charge first
 * peeks, and is denied if one of those accounts has nothing counted yet; otherwise it is decided as usual. So charges
 * on existing keys are decided as before, whichever node made them, at the cost of a second trip. The denial is {@link
 * Denied.Reason#TOO_MANY_NEW_KEYS} by {@link DecidedBy#NEW_KEY_BUDGET}.
 *
 * <p>A policy can exceed its budget only by the keys that decisions already in flight make when it runs out. A shadow charge never
 * denies: over the budget it is left out of the ask and not counted, except under a request id, where it is made as usual. A
 * request that the store may remember under its id is not denied, so a retry gets its first answer again. That answer counts
 * again if it was the first of its key.
 *
 * <p>Thread-safe, bounded, without a thread of its own.
 */
public final class NewKeyBudget extends ForwardingEngine {
    /** The default number of new keys per policy and second. */
    public static final int DEFAULT_PER_SECOND = 10_000;

    /** The largest number that can be chosen. */
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

    /** A budget with default settings around the store, which it closes with itself. */
    @CheckReturnValue
    public static NewKeyBudget around(Engine store) {
        return builder(store).build();
    }

    /** Starts a budget around the store, which it closes with itself. */
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

    /** A permit lives as long as the shortest of the ask's hold and the settings of its slots. */
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

    /** The charge whose policy answers for the ask's permit: the first that is enforced, else the first. */
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

    /** The long-lived charges whose policies may make no new key at present. */
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

    /** Looks first, and decides only if no new key is needed. */
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

    /** Denies, unless the ask has an id under which the store may have allowed it before: then the store answers. */
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

    /** @param whole the ask with the charges that are left out of what the store decides */
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

    /** Returns whether this is the first charge of its account. If several charges share an account, only one of them is the first. */
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

    /** Settings of a {@link NewKeyBudget}. Not thread-safe. */
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

        /** The number of new long-lived keys that each policy may make per second; {@value #DEFAULT_PER_SECOND} by default. */
        public Builder perSecond(long keys) {
            perSecond = Expect.between(keys, 1, MOST_PER_SECOND, "perSecond");
            return this;
        }

        /** Sets the listener that is notified of new keys, denials and skipped shadow charges; none by default. */
        public Builder listener(NewKeyListener watching) {
            listener = Expect.present(watching, "listener");
            return this;
        }

        @CheckReturnValue
        public NewKeyBudget build() {
            return new NewKeyBudget(this);
        }
    }
}
