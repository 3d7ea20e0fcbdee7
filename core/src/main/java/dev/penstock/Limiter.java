package dev.penstock;

import dev.penstock.engine.MemoryEngine;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.DecisionListener;
import dev.penstock.spi.Engine;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import dev.penstock.spi.StaticDecision;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests: matches them against policies, asks the engine, tells the listeners.
 *
 * <p>Thread-safe. {@code Limiter.of(policy)} limits in this process; {@link #builder} takes another engine.
 *
 * <p>No method here throws because a request is denied or a store fails; a request that the policies cannot read (an
 * attribute or a cost missing) is refused with an {@link IllegalArgumentException} before anything is charged. A method that
 * returns a stage never throws: the stage fails with that exception.
 */
public final class Limiter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Limiter.class.getName());
    private static final Duration DEFAULT_HOLD = Duration.ofMinutes(1);

    private final PolicySet policies;
    private final Engine engine;
    private final ReplyTimeouts inTime;
    private final AwaitLoop waiting;
    private final DenialBlocks blocks;
    private final Clock clock;
    private final DecisionListener[] listeners;
    private final @Nullable AutoCloseable source;

    private Limiter(Builder builder) {
        this.policies = builder.policies;
        this.clock = builder.clock;
        this.engine = builder.engine == null
                ? MemoryEngine.builder().clock(builder.clock).build()
                : builder.engine;
        this.inTime = new ReplyTimeouts(engine, builder.clock);
        this.blocks = new DenialBlocks(engine, builder.clock, builder.scheduler);
        this.waiting = new AwaitLoop(builder.clock, builder.scheduler, engine, inTime);
        this.listeners = builder.listeners.toArray(DecisionListener[]::new);
        this.source = builder.source;
    }

    /** A limiter in this process. */
    @CheckReturnValue
    public static Limiter of(Policy... policies) {
        return builder(Policy.setOf(policies)).build();
    }

    @CheckReturnValue
    public static Builder builder(PolicySet policies) {
        return new Builder(Expect.present(policies, "policies"));
    }

    /** Decides the request and charges it if it is allowed; waits at most the request's time-out for a store. */
    @CheckReturnValue
    public Decision decide(Request request) {
        Ask ask = policies.match(Expect.present(request, "request"));
        return decide(request, ask);
    }

    /** Decides like {@link #decide}, without ever blocking. */
    @CheckReturnValue
    public CompletionStage<Decision> decideAsync(Request request) {
        try {
            return decideAsync(request, policies.match(Expect.present(request, "request")));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /**
     * Decides a request with one attribute, and returns whether it is allowed: {@code tryAcquire("user", "alice")}. Meant for
     * rates. Under a concurrency limit, use {@link #call} or {@link #acquire}: nothing here frees the slot before it expires.
     */
    @CheckReturnValue
    public boolean tryAcquire(String attribute, String value) {
        return decide(Request.of(attribute, value)).isAllowed();
    }

    /**
     * Runs the work under a permit if the request is allowed, and releases the permit when the work ends, normally or not.
     *
     * @return what the work returned, or empty if the request was denied
     */
    @CheckReturnValue
    public <T> Optional<T> call(Request request, Supplier<? extends T> work) {
        Expect.present(work, "work");
        return call(request, () -> Optional.of(work.get()), denied -> Optional.empty());
    }

    /** Runs the work under a permit like {@link #call(Request, Supplier)}, or handles the denial. */
    public <T> T call(Request request, Supplier<? extends T> work, Function<Denied, ? extends T> whenDenied) {
        Expect.present(work, "work");
        Expect.present(whenDenied, "whenDenied");
        try (Permit permit = acquire(request)) {
            return permit.decision() instanceof Denied denied ? whenDenied.apply(denied) : work.get();
        }
    }

    /** What {@link #decide} would answer now, at the same cost; charges nothing. */
    @CheckReturnValue
    public Decision peek(Request request) {
        Ask ask = policies.match(Expect.present(request, "request")).peek();
        return inTime.decision(askEngine(ask), ask);
    }

    /** Looks like {@link #peek}, without ever blocking. */
    @CheckReturnValue
    public CompletionStage<Decision> peekAsync(Request request) {
        return stageOf(() ->
                askAsync(policies.match(Expect.present(request, "request")).peek()));
    }

    /**
     * Decides the request and holds concurrency slots until the permit is closed. Rates are charged at once.
     *
     * <p>{@link #decide} on policies with a concurrency limit holds the slots too, until they expire or
     * {@link Allowed#permitHandle} is released: a slot is never taken by nobody.
     */
    @CheckReturnValue
    public Permit acquire(Request request) {
        return new Permit(this, decide(request));
    }

    /** Acquires like {@link #acquire}, without ever blocking. */
    @CheckReturnValue
    public CompletionStage<Permit> acquireAsync(Request request) {
        return decideAsync(request).thenApply(decision -> new Permit(this, decision));
    }

    /** Holds the request's whole cost until the true cost is known and settled, for a minute at most. */
    @CheckReturnValue
    public Permit reserve(Request request) {
        return reserve(request, Hold.of(DEFAULT_HOLD));
    }

    /** Holds the request's whole cost until the true cost is known and settled, or the hold expires. */
    @CheckReturnValue
    public Permit reserve(Request request, Hold hold) {
        return new Permit(
                this,
                decide(
                        request,
                        policies.match(Expect.present(request, "request")).hold(hold)));
    }

    /** Reserves like {@link #reserve(Request, Hold)}, without ever blocking. */
    @CheckReturnValue
    public CompletionStage<Permit> reserveAsync(Request request, Hold hold) {
        return stageOf(() -> {
            Ask ask = policies.match(Expect.present(request, "request")).hold(hold);
            return decideAsync(request, ask).thenApply(decision -> new Permit(this, decision));
        });
    }

    /**
     * Decides the request, and completes when it may go on: after a leaky bucket's delay, or once a refused request fits
     * after all; denied when that cannot be within {@code atMost}. No thread waits meanwhile, and cancelling stops it.
     * Each time it asks is a decision of its own to the listeners.
     */
    @CheckReturnValue
    public CompletionStage<Decision> await(Request request, Duration atMost) {
        return stageOf(() -> waiting.until(Expect.present(request, "request"), atMost, this::decideAsync));
    }

    /** The same for a permit: completes when it is granted, or denied when that cannot be within {@code atMost}. */
    @CheckReturnValue
    public CompletionStage<Permit> acquireWithin(Request request, Duration atMost) {
        return stageOf(() -> new AwaitedPermit(
                this, Expect.present(request, "request").id(), waiting.until(request, atMost, this::decideAsync)));
    }

    /** Ends a permit by its id; see {@link Permit#settle}. */
    public Settlement settle(String permitId, Costs actual) {
        Expect.text(permitId, "permitId");
        Expect.present(actual, "actual");
        return inTime.settlement(() -> engine.settle(permitId, actual));
    }

    /** Ends a permit like {@link #settle}, without ever blocking. */
    public CompletionStage<Settlement> settleAsync(String permitId, Costs actual) {
        return stageOf(() -> {
            Expect.text(permitId, "permitId");
            Expect.present(actual, "actual");
            return inTime.settlementLater(() -> engine.settle(permitId, actual));
        });
    }

    /** Ends a permit by its id; see {@link Permit#release}. */
    public Settlement release(String permitId) {
        Expect.text(permitId, "permitId");
        return inTime.settlement(() -> engine.settle(permitId, null));
    }

    /** Ends a permit like {@link #release}, without ever blocking. */
    public CompletionStage<Settlement> releaseAsync(String permitId) {
        return stageOf(() -> {
            Expect.text(permitId, "permitId");
            return inTime.settlementLater(() -> engine.settle(permitId, null));
        });
    }

    /** Renews a permit by its id; see {@link Permit#renew}. */
    public Settlement renew(String permitId) {
        Expect.text(permitId, "permitId");
        return inTime.settlement(() -> engine.renew(permitId));
    }

    /** Renews a permit like {@link #renew}, without ever blocking. */
    public CompletionStage<Settlement> renewAsync(String permitId) {
        return stageOf(() -> {
            Expect.text(permitId, "permitId");
            return inTime.settlementLater(() -> engine.renew(permitId));
        });
    }

    /** Forgets what was counted for every account that the request would be charged to, and lifts their blocks. */
    public void reset(Request request) {
        Ask ask = policies.match(Expect.present(request, "request"));
        inTime.done(() -> blocks.reset(ask));
    }

    /**
     * The same for what was selected elsewhere, without ever blocking; fails where the engine did, or did not answer in time, and
     * then it is not known what was forgotten.
     */
    public CompletionStage<Completion> resetAsync(Ask ask) {
        return stageOf(() -> inTime.doneOrFailed(blocks.reset(Expect.present(ask, "ask")), ask));
    }

    /**
     * Forgets what was counted under every key of these counters, and lifts their blocks; fails where the engine did. For
     * operators: it takes as long as there are accounts.
     */
    public CompletionStage<Completion> resetCountersAsync(Set<String> counters) {
        return stageOf(() -> engine.resetCounters(Set.copyOf(counters)).whenReady());
    }

    public Engine engine() {
        return engine;
    }

    ReplyTimeouts inTime() {
        return inTime;
    }

    /** Closes the engine, and the policies if {@link Penstock} opened them. */
    @Override
    public void close() {
        engine.close();
        if (source != null) {
            try {
                source.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "the policies could not be closed", e);
            }
        }
    }

    private Decision decide(Request request, Ask ask) {
        Decision decision = inTime.decision(askEngine(ask), ask);
        tell(request, decision);
        return decision;
    }

    private CompletionStage<Decision> decideAsync(Request request, Ask ask) {
        Reply<Decision> reply = askEngine(ask);
        Decision ready = reply.ifReady();
        if (ready != null) {
            tell(request, ready);
            return CompletableFuture.completedFuture(ready);
        }
        CompletableFuture<Decision> later = inTime.decisionLater(reply, ask);
        return listeners.length == 0
                ? later
                : later.thenApply(decision -> {
                    tell(request, decision);
                    return decision;
                });
    }

    /**
     * Decides what was selected elsewhere than by this limiter's policies, blocks included, without ever blocking. Listeners
     * are not told.
     */
    @CheckReturnValue
    public CompletionStage<Decision> askAsync(Ask ask) {
        try {
            Reply<Decision> reply = askEngine(Expect.present(ask, "ask"));
            Decision ready = reply.ifReady();
            return ready != null ? CompletableFuture.completedFuture(ready) : inTime.decisionLater(reply, ask);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** The stage of the call, or a failed one if the call throws. */
    static <T> CompletionStage<T> stageOf(Supplier<? extends CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Reply<Decision> askEngine(Ask ask) {
        StaticDecision staticDecision = ask.staticDecision();
        if (staticDecision != null) {
            return staticDecision.decision(ask, clock.micros());
        }
        Ask looks = DenialBlocks.withLooks(ask);
        try {
            return blocks.decide(ask, looks);
        } catch (RuntimeException e) {
            LOG.log(
                    Level.ERROR,
                    "the engine " + engine.name() + " failed; the failure modes of the policies decide",
                    e);
            return inTime.byFailureModes(ask);
        }
    }

    private void tell(Request request, Decision decision) {
        for (DecisionListener listener : listeners) {
            try {
                listener.onDecision(request, decision);
            } catch (Throwable e) {
                LOG.log(Level.WARNING, "a decision listener failed: " + listener.getClass(), e);
            }
        }
    }

    /** Settings of a {@link Limiter}. Not thread-safe. */
    public static final class Builder {
        private final PolicySet policies;
        private final List<DecisionListener> listeners = new ArrayList<>();
        private @Nullable Engine engine;
        private @Nullable AutoCloseable source;
        private Clock clock = Clock.system();
        private Scheduler scheduler = Scheduler.system();

        private Builder(PolicySet policies) {
            this.policies = policies;
        }

        /** The engine that decides; a {@link MemoryEngine} by default. The limiter closes it. */
        public Builder engine(Engine other) {
            engine = Expect.present(other, "engine");
            return this;
        }

        public Builder listener(DecisionListener listener) {
            listeners.add(Expect.present(listener, "listener"));
            return this;
        }

        /** The clock of the default engine, of waiting, and of what the policies decide by themselves. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /** What {@link #await} and {@link #acquireWithin} wait with, and denials for what they bring about. */
        public Builder scheduler(Scheduler other) {
            scheduler = Expect.present(other, "scheduler");
            return this;
        }

        /** Where the policies come from, closed with the limiter. */
        Builder source(AutoCloseable opened) {
            source = opened;
            return this;
        }

        @CheckReturnValue
        public Limiter build() {
            return new Limiter(this);
        }
    }
}
