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
 * An engine around another that decides the charges of {@link LimitSettings.Place#PROCESS} in this process before any trip: a
 * first layer, which knows every key from its first request on, and refuses floods for the price of a look.
 *
 * <p>Only if the charges here fit is the store asked for the rest. Meanwhile they are reserved, so that no number of
 * requests at once gets past the limit. If the store allows, they are spent, as of then; if it denies, they are given
 * back, and a denial costs nothing anywhere. A request that comes in between may therefore be denied by what is given
 * back a moment later. A leaky bucket's turn is given back only while nobody has queued up behind. Where the store fails
 * and nothing is known, or is silent for a minute, they count as spent. What is counted here is this process's alone, and
 * ends with it.
 *
 * <p>A denial from here is {@link DecidedBy#FIRST_LAYER} and tells only of the limits here; so is an allowance that
 * needed no store. Every other decision is the store's, and tells of all charges in their order, each by the clock of
 * its place. Permits that hold something in both places have one id, and end in both; each part lives for the shortest
 * term in its own place. Under a request's id the store charges once; here a second try is charged again, as the load
 * that it is, unless a permit is held.
 *
 * <p>Thread-safe and bounded. An ask without such charges is passed on as it is.
 */
public final class LocalFirst extends ForwardingEngine {
    private static final Hold UNTIL_ANSWERED = Hold.of(Duration.ofMinutes(1));

    /** Beside slots, whose own term counts then. */
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

    /** A first layer with the defaults of {@link Builder}. */
    @CheckReturnValue
    public static LocalFirst around(Engine store) {
        return builder(store).build();
    }

    /** A first layer around the engine that is asked for the rest; the layer closes it. */
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
        return here == ask.size() ? byFirstLayer(ask, local.decide(ask)) : decideInBoth(ask);
    }

    private static int countHere(Ask ask) {
        int count = 0;
        for (int i = 0; i < ask.size(); i++) {
            count += ask.charge(i).settings().place() == LimitSettings.Place.PROCESS ? 1 : 0;
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
        Ask here = part(ask, LimitSettings.Place.PROCESS);
        long sinceMicros = clock.micros();
        ReservedDecision reserved = reserve(here);
        if (!(reserved.decision() instanceof Allowed allowed)) {
            return byFirstLayer(ask, reserved.decision());
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
     * The charges that the first layer holds while the store is asked.
     *
     * @param reservation null if nothing is held
     * @param isNew false if it was held before under the same id: it belongs to another call, and may be in use
     */
    private record FirstStep(Allowed allowed, @Nullable Reservation reservation, boolean isNew) {}

    /** Holds the charges here: under the request's id if the caller may get the permit, else until the store answers. */
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
                there.isAllowed() ? ReservationOutcome.How.SPENT : ReservationOutcome.How.GIVEN_BACK);
    }

    /** Nobody gets the permit: its costs are spent, and its slots freed. */
    private static void spendAll(FirstStep first) {
        if (first.reservation != null && first.isNew) {
            first.reservation.spendAll();
        }
    }

    private Decision byFirstLayer(Ask ask, Decision decision) {
        Evidence evidence = decision.evidence().of(ask, DecidedBy.FIRST_LAYER);
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

    /** A request with charges in both places is allowed only by the store, so the store's answer is enough. */
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
        local.reset(part(ask, LimitSettings.Place.PROCESS));
        return here == ask.size() ? Completion.DONE : inner.reset(part(ask, LimitSettings.Place.STORE));
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        local.resetCounters(counters);
        return inner.resetCounters(counters);
    }

    /** How full the layer is, and what that has led to so far. */
    public MemoryEngine.Stats stats() {
        return local.stats();
    }

    /** Settings of a {@link LocalFirst}. Not thread-safe. */
    public static final class Builder {
        private static final int DEFAULT_MAX_KEYS = 1_000_000;
        private static final int LARGEST_MAX_KEYS = 100_000_000;

        private final Engine store;
        private Clock clock = Clock.system();
        private int maxKeys = DEFAULT_MAX_KEYS;
        private WhenFull whenFull = WhenFull.EVICT_OLDEST;
        private Duration rememberFor = Duration.ofMinutes(1);

        private Builder(Engine store) {
            this.store = store;
        }

        /** The clock by which the charges here are counted; {@link Clock#system} by default. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /**
         * Maximum number of accounts (a key under a limit) and of callers' permits kept here; a million by default.
         * One caller gets a quarter of the permits, as in {@link MemoryEngine.Builder#maxKeys}. Requests without a permit
         * are decided even if there is no room for another permit.
         */
        public Builder maxKeys(int most) {
            maxKeys = (int) Expect.between(most, 1, LARGEST_MAX_KEYS, "maxKeys");
            return this;
        }

        /** What happens to a new key when all kept ones are live; by default the oldest is evicted. */
        public Builder whenFull(WhenFull choice) {
            whenFull = Expect.present(choice, "whenFull");
            return this;
        }

        /** How long it is remembered how a permit ended that a caller held here; a minute by default. */
        public Builder rememberFor(Duration time) {
            Expect.micros(time, Algorithm.LONGEST, "rememberFor");
            rememberFor = time;
            return this;
        }

        @CheckReturnValue
        public LocalFirst build() {
            return new LocalFirst(this);
        }
    }
}
