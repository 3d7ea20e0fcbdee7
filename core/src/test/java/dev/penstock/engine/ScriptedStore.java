package dev.penstock.engine;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.internal.memory.MemoryStore;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.Reply;
import dev.penstock.spi.StoreRefused;
import dev.penstock.spi.TripObserver;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A memory store whose replies a test controls: at once, later, as failures, or never. */
final class ScriptedStore implements Engine {
    enum Mood {
        AT_ONCE,
        /** Executes the call and answers it by {@link #answerNext}, or fails it by {@link #failNext}. */
        WHEN_TOLD,
        FAILING,
        /** Fails as without a connection, so that nothing was sent for certain. */
        NOT_CONNECTED,
        /** Fails as after too long a wait in this process. */
        NOT_SENT,
        /** Fails as for a key with foreign data. */
        REFUSING,
        THROWING,
        ANSWERING_NULL
    }

    record SettleCall(String permitId, @Nullable Costs actual) {}

    static final String NAME = "scripted";

    final MemoryStore real;
    final List<Ask> asks = new ArrayList<>();
    final List<SettleCall> settles = new ArrayList<>();
    Mood mood = Mood.AT_ONCE;

    @Nullable
    Fleet fleet;

    boolean closed;

    /** Reports round trips like the Redis engine. The test makes the reports. */
    boolean reportsTrips;

    private @Nullable TripObserver observer;

    /** Makes settlements fail, whatever the mood. */
    boolean failsToSettle;

    private final Deque<Runnable> answers = new ArrayDeque<>();
    private final Deque<CompletableFuture<?>> waiting = new ArrayDeque<>();

    ScriptedStore(ManualClock clock) {
        this(new MemoryStore(NAME, clock, 1_000, WhenFull.EVICT_OLDEST, 60_000_000));
    }

    /** Returns a store with a fleet. */
    static ScriptedStore with(ManualClock clock, @Nullable Fleet fleet) {
        ScriptedStore store = new ScriptedStore(clock);
        store.fleet = fleet;
        return store;
    }

    /** Creates one node's connection to a store that other nodes use too. */
    ScriptedStore(MemoryStore real) {
        this.real = real;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        asks.add(ask);
        return reply(() -> real.decide(ask));
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        settles.add(new SettleCall(permitId, actual));
        if (failsToSettle) {
            return Reply.later(CompletableFuture.failedFuture(new IllegalStateException("cut")));
        }
        return reply(() -> real.settle(permitId, actual));
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return reply(() -> real.renew(permitId));
    }

    @Override
    public boolean mayHaveIssued(String permitId) {
        return real.mayHaveIssued(permitId);
    }

    @Override
    public Reply<Completion> reset(Ask ask) {
        return reply(() -> {
            real.reset(ask);
            return Completion.DONE;
        });
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        return reply(() -> {
            real.resetCounters(counters);
            return Completion.DONE;
        });
    }

    @Override
    public boolean observeTrips(Duration lateAfter, TripObserver other) {
        observer = other;
        return reportsTrips;
    }

    /** Reports a round trip as late. */
    void reportLate() {
        Objects.requireNonNull(observer).late("s");
    }

    @Override
    public @Nullable Fleet fleet() {
        return fleet;
    }

    @Override
    public void close() {
        closed = true;
    }

    private <R extends Reply<R>> Reply<R> reply(Supplier<R> carryOut) {
        return switch (mood) {
            case AT_ONCE -> carryOut.get();
            case WHEN_TOLD -> whenTold(carryOut);
            case FAILING -> Reply.later(CompletableFuture.failedFuture(new IllegalStateException("cut")));
            case NOT_CONNECTED -> Reply.later(CompletableFuture.failedFuture(NotCharged.noConnection("not connected")));
            case NOT_SENT -> Reply.later(CompletableFuture.failedFuture(NotCharged.overdue()));
            case REFUSING ->
                Reply.later(CompletableFuture.failedFuture(
                        new CompletionException(new StoreRefused("the key of ann holds something else"))));
            case ANSWERING_NULL -> Reply.later(CompletableFuture.completedFuture(null));
            case THROWING -> throw new IllegalStateException("not connected");
        };
    }

    private <R extends Reply<R>> Reply<R> whenTold(Supplier<R> carryOut) {
        CompletableFuture<R> later = new CompletableFuture<>();
        waiting.add(later);
        answers.add(() -> later.complete(carryOut.get()));
        return Reply.later(later);
    }

    /** Executes the oldest waiting call and answers it. */
    void answerNext() {
        waiting.remove();
        answers.remove().run();
    }

    void failNext() {
        answers.remove();
        waiting.remove().completeExceptionally(new IllegalStateException("cut"));
    }

    int waitingCalls() {
        return waiting.size();
    }

    /** Returns how much the store really has left. */
    long remaining(Ask ask) {
        return real.decide(ask.peek()).limits().get(0).remaining();
    }
}
