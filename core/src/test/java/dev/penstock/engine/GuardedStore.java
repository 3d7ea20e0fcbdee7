package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.FailureMode;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A guard around a scripted store, on a manual clock, with methods for test scenarios. */
final class GuardedStore {
    static final Duration DEADLINE = Duration.ofMillis(10);
    static final Limit TEN_A_SECOND = Limit.tokenBucket(10, Duration.ofSeconds(1));

    /** Failures that last for this time open the breaker. */
    static final Duration LONG_ENOUGH = Duration.ofSeconds(1);

    /** The guard finds a store that answers again within this time. */
    static final Duration FOUND_WITHIN = Duration.ofSeconds(1);

    final ManualClock clock;
    final ScriptedStore store;
    final List<StoreOutageEvent> events = new ArrayList<>();
    final Guard guard;

    GuardedStore() {
        this(builder -> builder);
    }

    GuardedStore(UnaryOperator<Guard.Builder> settings) {
        this(settings, null);
    }

    /** Creates a store that reports its round trips as the test says. */
    static GuardedStore reporting(UnaryOperator<Guard.Builder> settings) {
        ManualClock clock = new ManualClock();
        ScriptedStore store = new ScriptedStore(clock);
        store.reportsTrips = true;
        return new GuardedStore(clock, store, settings);
    }

    /** Creates a store that reports other nodes. */
    GuardedStore(UnaryOperator<Guard.Builder> settings, @Nullable Fleet fleet) {
        this(new ManualClock(), fleet, settings);
    }

    private GuardedStore(ManualClock clock, @Nullable Fleet fleet, UnaryOperator<Guard.Builder> settings) {
        this(clock, ScriptedStore.with(clock, fleet), settings);
    }

    private GuardedStore(ManualClock clock, ScriptedStore store, UnaryOperator<Guard.Builder> settings) {
        this.clock = clock;
        this.store = store;
        guard = settings.apply(Guard.builder(store)
                        .deadline(DEADLINE)
                        .clock(clock)
                        .scheduler(clock)
                        .listener(events::add))
                .build();
    }

    static Charge charge(Limit limit, String who, long cost) {
        return charge(limit, who, cost, FailureMode.LOCAL);
    }

    static Charge charge(Limit limit, String who, long cost, FailureMode mode) {
        return Charge.of(LimitSettings.of("policy", limit).onStoreFailure(mode), Key.of("counter", who), cost);
    }

    static Ask ask(String who) {
        return Ask.of(charge(TEN_A_SECOND, who, 1));
    }

    /** Returns a decision, which must be ready. */
    Decision decide(Ask ask) {
        return now(guard.decide(ask));
    }

    static Decision now(Reply<Decision> reply) {
        Decision ready = reply.ifReady();
        if (ready != null) {
            return ready;
        }
        CompletableFuture<Decision> later = reply.whenReady().toCompletableFuture();
        assertThat(later).isCompleted();
        return later.join();
    }

    Allowed allowed(Ask ask) {
        Decision decision = decide(ask);
        assertThat(decision).isInstanceOf(Allowed.class);
        return (Allowed) decision;
    }

    Denied denied(Ask ask) {
        Decision decision = decide(ask);
        assertThat(decision).isInstanceOf(Denied.class);
        return (Denied) decision;
    }

    /** Returns how many asks are allowed right now. */
    int drain(Ask ask) {
        int got = 0;
        while (decide(ask).isAllowed()) {
            got++;
        }
        return got;
    }

    /** Lets the store fail on an otherwise unused key until the guard gives it up. */
    void loseStore() {
        store.mood = ScriptedStore.Mood.FAILING;
        for (int i = 0; i < 20 && !guard.isInFallback(); i++) {
            decide(Ask.of(charge(TEN_A_SECOND, "the unlucky", 0, FailureMode.OPEN)));
            clock.advance(LONG_ENOUGH.dividedBy(10));
        }
        assertThat(guard.isInFallback()).isTrue();
        store.asks.clear();
    }

    /** Lets the store answer again until the guard is back to normal. */
    void regainStore() {
        store.mood = ScriptedStore.Mood.AT_ONCE;
        for (int i = 0; i < 10_000 && guard.isInFallback(); i++) {
            clock.advance(Duration.ofMillis(1));
        }
        assertThat(guard.isInFallback()).isFalse();
    }

    static boolean isByFallback(Decision decision) {
        return decision.decidedBy() == DecidedBy.FALLBACK;
    }

    static PermitHandle grantOf(Decision decision) {
        assertThat(decision).isInstanceOf(Allowed.class);
        return present(((Allowed) decision).permitHandle());
    }

    static <T> T present(@Nullable T value) {
        return Objects.requireNonNull(value);
    }
}
