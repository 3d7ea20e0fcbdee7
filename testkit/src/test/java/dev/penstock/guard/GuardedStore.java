package dev.penstock.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.FailureMode;
import dev.penstock.Grant;
import dev.penstock.Guard;
import dev.penstock.GuardEvent;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Terms;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A guard around a scripted store on a clock turned by hand, and the words to tell what happens to them. */
final class GuardedStore {
    static final Duration DEADLINE = Duration.ofMillis(10);
    static final Limit TEN_A_SECOND = Limit.tokenBucket(10, Duration.ofSeconds(1));

    /** As many failures as open the breaker. */
    static final int TOO_MANY = 5;

    /** Longer than any pause between probes. */
    static final Duration ANY_PAUSE = Duration.ofSeconds(2);

    final ManualClock clock = new ManualClock();
    final ScriptedStore store = new ScriptedStore(clock);
    final List<GuardEvent> events = new ArrayList<>();
    final Guard guard;

    GuardedStore() {
        this(builder -> builder);
    }

    GuardedStore(UnaryOperator<Guard.Builder> settings) {
        this(settings, null);
    }

    /** With other nodes to learn of. */
    GuardedStore(UnaryOperator<Guard.Builder> settings, @Nullable Fleet fleet) {
        store.fleet = fleet;
        guard = settings.apply(Guard.around(store).clock(clock).timer(clock).listener(events::add))
                .build();
    }

    static Charge charge(Limit limit, String who, long cost) {
        return charge(limit, who, cost, FailureMode.LOCAL);
    }

    static Charge charge(Limit limit, String who, long cost, FailureMode mode) {
        return Charge.of(Terms.of("policy", limit).onStoreFailure(mode), Key.of("counter", who), cost);
    }

    static Ask ask(String who) {
        return Ask.of(charge(TEN_A_SECOND, who, 1));
    }

    /** A decision that is there at once. */
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

    /** How many are allowed at this moment. */
    int drain(Ask ask) {
        int got = 0;
        while (decide(ask).isAllowed()) {
            got++;
        }
        return got;
    }

    /** Lets the store fail until the guard leaves it alone, on a key that nobody else uses. */
    void loseStore() {
        store.mood = ScriptedStore.Mood.FAILING;
        for (int i = 0; i < TOO_MANY; i++) {
            decide(Ask.of(charge(TEN_A_SECOND, "the unlucky", 0, FailureMode.OPEN)));
        }
        assertThat(guard.isInFallback()).isTrue();
        store.asks.clear();
    }

    /** Lets the store answer again, and goes on deciding on that key until all is as before. */
    void regainStore() {
        store.mood = ScriptedStore.Mood.AT_ONCE;
        for (int i = 0; i < 100 && guard.isInFallback(); i++) {
            clock.advance(Duration.ofMillis(500));
            decide(Ask.of(charge(TEN_A_SECOND, "the unlucky", 0, FailureMode.OPEN)));
        }
        assertThat(guard.isInFallback()).isFalse();
    }

    static boolean isByFallback(Decision decision) {
        return decision.decidedBy() == DecidedBy.FALLBACK;
    }

    static Grant grantOf(Decision decision) {
        assertThat(decision).isInstanceOf(Allowed.class);
        return present(((Allowed) decision).grant());
    }

    static <T> T present(@Nullable T value) {
        return Objects.requireNonNull(value);
    }
}
