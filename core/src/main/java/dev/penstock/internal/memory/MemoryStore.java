package dev.penstock.internal.memory;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.State;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.StaticDecision;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of a memory engine. It also chooses the path on which an ask is decided. Thread-safe. */
public final class MemoryStore {
    private final Accounts accounts;
    private final Permits permits;
    private final ExpiringMap<IdempotencyRecord> answers;
    private final SingleChargePath loneCharge;
    private final Clock clock;
    private final int maxKeys;
    private final WhenFull whenFull;
    private final long rememberMicros;

    public MemoryStore(String engineName, Clock source, int maxKeys, WhenFull whenFull, long rememberMicros) {
        // the system's clock is in range until 2255
        this.clock = source == Clock.system() ? source : new ClockInRange(source);
        this.accounts = new Accounts(maxKeys, whenFull == WhenFull.EVICT_OLDEST, clock);
        long heapBytes = Runtime.getRuntime().maxMemory();
        this.permits = new Permits(engineName, accounts, MemoryBounds.maxPermits(maxKeys, heapBytes), rememberMicros);
        this.answers = new ExpiringMap<>(MemoryBounds.maxAnswers(maxKeys, heapBytes));
        this.loneCharge = new SingleChargePath(accounts, clock);
        this.maxKeys = maxKeys;
        this.whenFull = whenFull;
        this.rememberMicros = rememberMicros;
    }

    public Decision decide(Ask ask) {
        StaticDecision staticDecision = ask.staticDecision();
        if (staticDecision != null) {
            return staticDecision.decision(ask, clock.micros());
        }
        String id = ask.id();
        return id == null ? decideAnew(ask) : decideOnce(ask, id);
    }

    private Decision decideAnew(Ask ask) {
        if (ask.size() == 1 && ask.hold() == null && acceptsAnyDelay(ask)) {
            Decision decision = loneCharge.decide(ask.charge(0), ask.purpose());
            if (decision != null) {
                return decision;
            }
        }
        return new JointCharges(accounts, permits, whenFull, clock, ask).decide();
    }

    /** Returns true if no delay can deny the ask. Only a leaky bucket delays. */
    private static boolean acceptsAnyDelay(Ask ask) {
        return ask.maxDelayMicros() == Long.MAX_VALUE || !(ask.charge(0).limit().algorithm() instanceof LeakyBucket);
    }

    /**
     * Repeats an allowed answer to the same ask under the same id. A denial charged nothing, so it is decided again.
     * Another ask under the same id is decided too, unless its fingerprint rules that out, because an id must not
     * bypass a limit.
     */
    private Decision decideOnce(Ask ask, String id) {
        while (true) {
            long now = clock.micros();
            answers.makeRoom(now);
            IdempotencyRecord answer = answers.addIfAbsent(new IdempotencyRecord(id, now, rememberMicros), now);
            Decision decision = answer.decisionFor(ask, permits, now, () -> decideAnew(ask));
            if (answer.isForgotten()) {
                answers.forget(answer);
            }
            if (decision != null) {
                return decision;
            }
            if (!answer.isForgotten()) {
                return decideAnew(ask);
            }
        }
    }

    /** Returns whether an answer is remembered under the ask's id, or is being computed. */
    public boolean mayRemember(Ask ask) {
        String id = ask.id();
        return id != null && answers.get(id, clock.micros()) != null;
    }

    public Settlement settle(String permitId, @Nullable Costs actual) {
        HeldPermit permit = permits.find(permitId, clock.micros());
        return permit == null ? Settlement.unknown() : permit.settle(actual, clock);
    }

    /**
     * Decides an ask whose charges are held only until the rest of its request is decided elsewhere. The ask must have
     * a hold, which applies if nobody ends the reservation, and neither an id nor slots.
     */
    public ReservedDecision reserve(Ask ask) {
        return new JointCharges(accounts, permits, whenFull, clock, ask).reserve();
    }

    /** Decides an ask like {@link #decide}, for a caller that ends the permit itself unless its request is allowed. */
    public ReservedDecision reserveUnderId(Ask ask) {
        Decision decision = decide(ask);
        PermitHandle grant = decision instanceof Allowed allowed ? allowed.permitHandle() : null;
        HeldPermit permit = grant == null ? null : permits.find(grant.id(), clock.micros());
        return new ReservedDecision(decision, permit == null ? null : new Reservation(permit, clock));
    }

    public Settlement renew(String permitId) {
        HeldPermit permit = permits.find(permitId, clock.micros());
        return permit == null ? Settlement.unknown() : permit.renew(clock);
    }

    /** Returns whether the permit id has the form of ids issued here. */
    public boolean mayHaveIssued(String permitId) {
        return permits.mayHaveIssued(permitId);
    }

    public void reset(Ask ask) {
        while (!isReset(ask)) {
            Thread.onSpinWait(); // an account was added or evicted meanwhile
        }
    }

    private boolean isReset(Ask ask) {
        AccountAddress[] addresses = AccountAddress.all(ask);
        @Nullable Account[] found = new Account[addresses.length];
        for (int i = 0; i < found.length; i++) {
            found[i] = accounts.find(addresses[i]);
        }
        Locks locks = new Locks(found);
        if (!locks.lock()) {
            return false;
        }
        try {
            if (!accounts.areStillMissing(addresses, found)) {
                return false;
            }
            for (Account account : found) {
                if (account != null) {
                    account.clear();
                }
            }
            return true;
        } finally {
            locks.unlock();
        }
    }

    /** Clears the accounts of these counters, one by one. */
    public void resetCounters(Set<String> counters) {
        for (Account account : accounts.ofCounters(counters)) {
            Locks lock = new Locks(new Account[] {account});
            if (lock.lock()) { // otherwise it was evicted, together with its state
                try {
                    account.clear();
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    /** Computes a number from an account. */
    @FunctionalInterface
    public interface Measure {
        /** Returns the number. The account is locked meanwhile and must not be changed. */
        long of(State present, long nowMicros);
    }

    /** Returns a number computed from an account, or from a fresh state if there is no account. */
    public long measure(Charge charge, Measure measure) {
        Rule rule = charge.limit().rule();
        AccountAddress address = new AccountAddress(charge, charge.key().bytes());
        while (true) {
            Account account = accounts.find(address);
            if (account == null) {
                State fresh = new State(rule);
                long now = clock.micros();
                rule.advance(fresh, now);
                return measure.of(fresh, now);
            }
            if (!account.lock()) {
                continue; // evicted meanwhile
            }
            try {
                long now = clock.micros();
                Rule.expireHolds(account, now);
                rule.advance(account, now);
                return measure.of(account, now);
            } finally {
                account.unlock();
            }
        }
    }

    /** Computes new spending from the present state of an account. */
    @FunctionalInterface
    public interface SpendingUpdate {
        /** Returns a state with the new spending. The account is locked meanwhile and must not be changed. */
        State spent(State present, long nowMicros);
    }

    /** Replaces the spending of an account, which is created if it does not exist. Costs held by permits stay held. */
    public void replaceSpent(Charge charge, SpendingUpdate respending) {
        Rule rule = charge.limit().rule();
        AccountAddress address = new AccountAddress(charge, charge.key().bytes());
        while (true) {
            Account account = accounts.findOrAdd(address, rule.capacity());
            if (account == null) {
                return; // no room, so the account starts fresh with its next charge
            }
            if (!account.lock()) {
                continue; // evicted meanwhile
            }
            try {
                long now = clock.micros();
                Rule.expireHolds(account, now);
                rule.advance(account, now);
                account.replaceSpent(respending.spent(account, now));
                return;
            } finally {
                account.unlock();
            }
        }
    }

    public MemoryEngine.Stats stats() {
        return new MemoryEngine.Stats(
                accounts.count(),
                maxKeys,
                accounts.evictedIdle(),
                accounts.evictedLive(),
                accounts.deniedFull(),
                accounts.uncounted());
    }
}
