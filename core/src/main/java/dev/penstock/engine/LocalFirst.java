package dev.penstock.engine;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import dev.penstock.internal.cache.PermitPair;
import dev.penstock.internal.memory.MemoryBounds;
import dev.penstock.internal.memory.MemoryStore;
import dev.penstock.internal.memory.Reservation;
import dev.penstock.internal.memory.ReservationOutcome;
import dev.penstock.internal.memory.ReservedDecision;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * An engine around a store that decides local limits ({@link LimitSettings.Place#LOCAL}) in this process before the
 * store is asked. It counts every key from its first request on, and denies floods without a round trip.
 *
 * <p>The store is asked for the other charges only if the local ones fit. Meanwhile, the local charges are reserved, so
 * that concurrent requests cannot exceed the limit together. If the store allows, they are spent as of the reservation.
 * If it denies, they are given back, and the denial costs nothing anywhere. A request that comes in between may
 * therefore be denied although the charges are given back a moment later. The turn of a leaky bucket is given back only
 * if nobody has queued up behind it. If the store fails with an unknown outcome, or does not answer for a minute, the
 * charges count as spent. Counts are kept only in this process and are lost when it ends.
 *
 * <p>A denial by a local limit, or an allowed decision on local limits alone, is {@link DecidedBy#LOCAL_LIMIT} and
 * reports only local limits. Every other decision is the store's and reports all charges in their order, local ones by
 * this process's clock and the others by the store's. A permit that holds something in both places has one id, and
 * ending it ends both parts. Otherwise, each part expires after the shortest hold time in its own place. For a request
 * with an id, the store charges once. A local limit charges each retry, because a retry is load too, unless the request
 * holds a permit.
 *
 * <p>Thread-safe and bounded. An ask without local charges is passed on unchanged.
 */
public final class LocalFirst extends ForwardingEngine {
    private static final Hold UNTIL_ANSWERED = Hold.of(Duration.ofMinutes(1));

    /** Used together with slots, whose own lifetime is shorter and therefore applies. */
    private static final Hold WITH_SLOTS = Hold.of(Concurrency.LONGEST);

    private final MemoryStore local;
    private final Clock clock;

    private LocalFirst(Builder builder) {
        super(builder.store);
        this.clock = builder.clock;
        this.local = new MemoryStore(
                PermitPair.LOCAL,
                builder.clock,
                builder.maxKeys,
                builder.whenFull,
                Durations.micros(builder.rememberFor));
    }

    /** Returns an engine that decides local limits before the store, with the defaults of {@link Builder}. */
    @CheckReturnValue
    public static LocalFirst around(Engine store) {
        return builder(store).build();
    }

    /**
     * Returns a builder of an engine that decides local limits, and asks the store for all other limits. The engine
     * closes the store.
     */
    @CheckReturnValue
    public static Builder builder(Engine store) {
        return new Builder(StackOrder.inside(LocalFirst.class, store));
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        int here = countHere(Expect.present(ask, "ask"));
        if (here == 0) {
            return inner.decide(ask);
        }
        return here == ask.size() ? byLocalLimits(ask, local.decide(ask)) : decideInBoth(ask);
    }

    private static int countHere(Ask ask) {
        int count = 0;
        for (int i = 0; i < ask.size(); i++) {
            count += ask.charge(i).settings().place() == LimitSettings.Place.LOCAL ? 1 : 0;
        }
        return count;
    }

    private static Ask part(Ask ask, LimitSettings.Place place) {
        List<Charge> part = new ArrayList<>(ask.size());
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).settings().place() == place) {
                part.add(ask.charge(i));
            }
        }
        return ask.withCharges(part);
    }

    private Reply<Decision> decideInBoth(Ask ask) {
        Ask here = part(ask, LimitSettings.Place.LOCAL);
        long sinceMicros = clock.micros();
        ReservedDecision reserved = reserve(here);
        if (!(reserved.decision() instanceof Allowed allowed)) {
            return byLocalLimits(ask, reserved.decision());
        }
        boolean isNew = allowed.permitHandle() == null || allowed.evidence().madeAtMicros() >= sinceMicros;
        FirstStep first = new FirstStep(allowed, reserved.reservation(), isNew);
        Reply<Decision> reply;
        try {
            reply = inner.decide(part(ask, LimitSettings.Place.STORE));
        } catch (RuntimeException e) {
            spendAll(first);
            throw e;
        }
        Decision ready = reply.ifReady();
        if (ready != null) {
            return together(ask, first, ready);
        }
        return Reply.later(reply.whenReady().handle((decision, failure) -> {
            if (failure != null) {
                spendAll(first);
                throw new CompletionException(failure);
            }
            return together(ask, first, decision);
        }));
    }

    /**
     * The local charges that are held while the store is asked.
     *
     * @param reservation null if nothing is held
     * @param isNew false if the charges were already held under the same id, so that they belong to another call and
     *     may be in use
     */
    private record FirstStep(Allowed allowed, @Nullable Reservation reservation, boolean isNew) {}

    /**
     * Holds the local charges: under the request's id if the caller may get the permit, otherwise until the store
     * answers.
     */
    private ReservedDecision reserve(Ask here) {
        if (here.hold() != null || here.purpose() == Ask.Purpose.PEEK) {
            return local.reserveUnderId(here.withFingerprintInId()); // the store decides who owns the id
        }
        return hasSlots(here)
                ? local.reserveUnderId(here.withFingerprintInId().hold(WITH_SLOTS))
                : local.reserve(here.withoutId().hold(UNTIL_ANSWERED));
    }

    private static boolean hasSlots(Ask here) {
        for (int i = 0; i < here.size(); i++) {
            if (here.charge(i).limit().algorithm() instanceof Concurrency) {
                return true;
            }
        }
        return false;
    }

    private Decision together(Ask ask, FirstStep first, Decision there) {
        ReservationOutcome concluded = conclude(ask, first, there);
        Allowed here = first.allowed;
        Evidence evidence =
                JoinedEvidence.evidence(ask, here.evidence(), concluded, there.evidence(), there.decidedBy());
        if (there instanceof Denied denied) {
            return denied.on(evidence);
        }
        Allowed allowed = (Allowed) there;
        PermitHandle grant = allowed.permitHandle();
        PermitHandle mine = here.permitHandle();
        if (mine != null && (ask.hold() != null || concluded.holdsSlots())) {
            grant = PermitPair.grant(grant, mine, name());
        }
        Duration delay = here.delay().compareTo(allowed.delay()) > 0 ? here.delay() : allowed.delay();
        return new Allowed(evidence, Durations.micros(delay), grant);
    }

    private static ReservationOutcome conclude(Ask ask, FirstStep first, Decision there) {
        boolean stays = there.isAllowed() ? ask.hold() != null : !first.isNew;
        if (first.reservation == null || stays) {
            return ReservationOutcome.NOTHING;
        }
        return first.reservation.conclude(
                there.isAllowed() ? ReservationOutcome.Ending.SPENT : ReservationOutcome.Ending.GIVEN_BACK);
    }

    /** Spends the costs and frees the slots, because nobody gets the permit. */
    private static void spendAll(FirstStep first) {
        if (first.reservation != null && first.isNew) {
            first.reservation.spendAll();
        }
    }

    private Decision byLocalLimits(Ask ask, Decision decision) {
        Evidence evidence = decision.evidence().of(ask, DecidedBy.LOCAL_LIMIT);
        if (decision instanceof Denied denied) {
            return denied.on(evidence);
        }
        Allowed allowed = (Allowed) decision;
        PermitHandle grant = allowed.permitHandle();
        return new Allowed(
                evidence,
                Durations.micros(allowed.delay()),
                grant == null ? null : PermitPair.grant(null, grant, name()));
    }

    /** Asks the store if the request has charges in both places, because only the store allows such a request. */
    @Override
    public Reply<Boolean> mayRemember(Ask ask) {
        int here = countHere(Expect.present(ask, "ask"));
        if (here == 0) {
            return inner.mayRemember(ask);
        }
        return here == ask.size()
                ? Reply.now(local.mayRemember(ask))
                : inner.mayRemember(part(ask, LimitSettings.Place.STORE));
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        PermitPair pair = PermitPair.of(Expect.text(permitId, "permitId"), name());
        if (pair == null) {
            return inner.settle(permitId, actual);
        }
        Settlement here = local.settle(pair.local(), actual);
        return pair.store() == null ? here : together(here, inner.settle(pair.store(), actual));
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        PermitPair pair = PermitPair.of(Expect.text(permitId, "permitId"), name());
        if (pair == null) {
            return inner.renew(permitId);
        }
        Settlement here = local.renew(pair.local());
        return pair.store() == null ? here : together(here, inner.renew(pair.store()));
    }

    @Override
    public boolean mayHaveIssued(String permitId) {
        PermitPair pair = PermitPair.of(permitId, name());
        return pair == null
                ? inner.mayHaveIssued(permitId)
                : local.mayHaveIssued(pair.local()) && (pair.store() == null || inner.mayHaveIssued(pair.store()));
    }

    private static Reply<Settlement> together(Settlement here, Reply<Settlement> reply) {
        Settlement ready = reply.ifReady();
        return ready != null
                ? PermitPair.together(here, ready)
                : Reply.later(reply.whenReady().thenApply(there -> PermitPair.together(here, there)));
    }

    @Override
    public Reply<Completion> reset(Ask ask) {
        int here = countHere(Expect.present(ask, "ask"));
        if (here == 0) {
            return inner.reset(ask);
        }
        local.reset(part(ask, LimitSettings.Place.LOCAL));
        return here == ask.size() ? Completion.DONE : inner.reset(part(ask, LimitSettings.Place.STORE));
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        local.resetCounters(counters);
        return inner.resetCounters(counters);
    }

    /** Returns counts of the local accounts. */
    public MemoryEngine.Stats stats() {
        return local.stats();
    }

    /** Builds a {@link LocalFirst}. Not thread-safe. */
    public static final class Builder {
        static final int LARGEST_MAX_KEYS = 100_000_000;

        private final Engine store;
        private Clock clock = Clock.system();
        private int maxKeys = MemoryBounds.defaultMaxKeys(Runtime.getRuntime().maxMemory());
        private WhenFull whenFull = WhenFull.EVICT_OLDEST;
        private Duration rememberFor = Duration.ofMinutes(1);

        private Builder(Engine store) {
            this.store = store;
        }

        /** Sets the clock of local charges; {@link Clock#system} by default. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /**
         * Sets the maximum number of accounts (a key under a limit) and of callers' permits that are kept here, as
         * {@link MemoryEngine.Builder#maxKeys} does. One caller can hold at most a quarter of the permits. Requests without a permit are decided even if there is no room for
         * another permit.
         */
        public Builder maxKeys(int most) {
            maxKeys = (int) Expect.between(most, 1, LARGEST_MAX_KEYS, "maxKeys");
            return this;
        }

        /**
         * Sets what happens to a new key when all kept accounts are live. By default the one that would become idle
         * first is evicted.
         */
        public Builder whenFull(WhenFull choice) {
            whenFull = Expect.present(choice, "whenFull");
            return this;
        }

        /** Sets how long the final result of a permit held here is remembered; a minute by default. */
        public Builder rememberFor(Duration time) {
            Expect.micros(time, Algorithm.LONGEST, "rememberFor");
            rememberFor = time;
            return this;
        }

        /** Builds the engine. */
        @CheckReturnValue
        public LocalFirst build() {
            return new LocalFirst(this);
        }
    }
}
