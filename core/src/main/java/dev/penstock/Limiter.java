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
 * Decides requests: selects the policies that match, asks the engine, and informs listeners.
 *
 * <p>Thread-safe. Create one and share it. {@link Penstock} builds one with its engines, {@code Limiter.of(policy)}
 * counts in this process, and {@link #builder} takes any engine.
 *
 * <p>No method throws because a request is denied or a store fails. A request that the policies cannot read (a missing
 * attribute or cost) causes an {@link IllegalArgumentException} before anything is charged. Methods that return a stage
 * never throw: the stage fails with that exception.
 *
 * <p>Code attached to a stage should not block, because it may run on a thread of the store's client. If it does block,
 * other callers are still answered within their deadlines.
 */
public final class Limiter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Limiter.class.getName());
    private static final Duration DEFAULT_HOLD = Duration.ofMinutes(1);

    private final PolicySet policies;
    private final CountedUnits units;
    private final Engine engine;
    private final ReplyTimeouts timeouts;
    private final AwaitLoop waiting;
    private final DenialBlocks blocks;
    private final Clock clock;
    private final DecisionListener[] listeners;
    private final @Nullable AutoCloseable source;

    private Limiter(Builder builder) {
        this.policies = builder.policies;
        this.units = new CountedUnits(policies);
        this.clock = builder.clock;
        this.engine = builder.engine == null
                ? MemoryEngine.builder().clock(builder.clock).build()
                : builder.engine;
        this.timeouts = new ReplyTimeouts(engine, builder.clock, Scheduler.system());
        this.blocks = new DenialBlocks(engine, builder.scheduler);
        this.waiting = new AwaitLoop(builder.clock, builder.scheduler, engine, timeouts);
        this.listeners = builder.listeners.toArray(DecisionListener[]::new);
        this.source = builder.source;
    }

    /** Returns a limiter that counts in this process. */
    @CheckReturnValue
    public static Limiter of(Policy... policies) {
        return builder(Policy.setOf(policies)).build();
    }

    /** Returns a builder of a limiter for these policies. */
    @CheckReturnValue
    public static Builder builder(PolicySet policies) {
        return new Builder(Expect.present(policies, "policies"));
    }

    /**
     * Decides the request and charges it if it is allowed. Under a concurrency limit, an allowed request also holds its
     * slots, which {@link Allowed#holdsPermit} reports. Waits for the store until the request's
     * timeout. If the request has none, the engine's deadline applies, or one second if the engine
     * has no deadline.
     */
    @CheckReturnValue
    public Decision decide(Request request) {
        Ask ask = policies.match(Expect.present(request, "request"));
        return decide(request, ask);
    }

    /** Decides like {@link #decide}, but never blocks. */
    @CheckReturnValue
    public CompletionStage<Decision> decideAsync(Request request) {
        try {
            return decideAsync(request, policies.match(Expect.present(request, "request")));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /**
     * Decides a request with one attribute, and returns whether it is allowed: {@code tryAcquire("user", "alice")}.
     *
     * <p>Meant for rates. Under a concurrency limit, use {@link #call} or {@link #acquire}, because this method leaves
     * the slot in use until it expires.
     */
    @CheckReturnValue
    public boolean tryAcquire(String attribute, String value) {
        return decide(Request.of(attribute, value)).isAllowed();
    }

    /**
     * Runs the work under a permit if the request is allowed, and releases the permit when the work returns or throws.
     *
     * @return the result of the work, or empty if the request was denied
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

    /** Returns the decision that {@link #decide} would make now, and charges nothing. */
    @CheckReturnValue
    public Decision peek(Request request) {
        Ask ask = policies.match(Expect.present(request, "request")).peek();
        return timeouts.decision(askEngine(ask), ask);
    }

    /** Peeks like {@link #peek}, but never blocks. */
    @CheckReturnValue
    public CompletionStage<Decision> peekAsync(Request request) {
        return stageOf(() ->
                askAsync(policies.match(Expect.present(request, "request")).peek()));
    }

    /**
     * Decides the request and holds concurrency slots until the permit is closed. Rates are charged at once.
     *
     * <p>Under a concurrency limit, {@link #decide} also holds slots, until they expire or {@link Allowed#permitHandle}
     * is released.
     */
    @CheckReturnValue
    public Permit acquire(Request request) {
        return new Permit(this, decide(request));
    }

    /** Acquires like {@link #acquire}, but never blocks. */
    @CheckReturnValue
    public CompletionStage<Permit> acquireAsync(Request request) {
        return decideAsync(request).thenApply(decision -> new Permit(this, decision));
    }

    /**
     * Decides the request and reserves its cost until the permit is settled at the real cost, for at most a minute. See
     * {@link #reserve(Request, Hold)}.
     */
    @CheckReturnValue
    public Permit reserve(Request request) {
        return reserve(request, Hold.of(DEFAULT_HOLD));
    }

    /**
     * Decides the request and reserves its cost until the permit is settled at the real cost, or the hold expires.
     *
     * @throws UncountedUnitException if the request states a cost in a unit that no limit counts
     */
    @CheckReturnValue
    public Permit reserve(Request request, Hold hold) {
        return new Permit(this, decide(request, toReserve(request, hold)));
    }

    private Ask toReserve(Request request, Hold hold) {
        Ask ask = policies.match(Expect.present(request, "request"));
        Costs unused = units.expect(request.costs(), ask);
        return ask.hold(hold);
    }

    /** Reserves like {@link #reserve(Request, Hold)}, but never blocks. */
    @CheckReturnValue
    public CompletionStage<Permit> reserveAsync(Request request, Hold hold) {
        return stageOf(
                () -> decideAsync(request, toReserve(request, hold)).thenApply(decision -> new Permit(this, decision)));
    }

    /**
     * Decides the request, and repeats it until it is allowed. Completes when the request may go on, after the delay of
     * a leaky bucket if there is one. Completes with a denial once it is clear that the wait would exceed
     * {@code atMost}.
     *
     * <p>No thread waits. To stop waiting, cancel the stage's {@link CompletionStage#toCompletableFuture future}.
     * Listeners see each attempt as a separate decision.
     */
    @CheckReturnValue
    public CompletionStage<Decision> await(Request request, Duration atMost) {
        return stageOf(() -> waiting.until(Expect.present(request, "request"), atMost, this::decideAsync));
    }

    /**
     * Completes with a granted permit as soon as the request is allowed, or with a denied one if the wait would exceed
     * {@code atMost}. Waits like {@link #await}.
     */
    @CheckReturnValue
    public CompletionStage<Permit> acquireWithin(Request request, Duration atMost) {
        return stageOf(() -> new AwaitedPermit(
                this, Expect.present(request, "request").id(), waiting.until(request, atMost, this::decideAsync)));
    }

    /**
     * Ends a permit by its id at its actual costs. See {@link Permit#settle(Costs)}.
     *
     * @throws UncountedUnitException if no limit of the policies counts one of the units
     */
    public Settlement settle(String permitId, Costs actual) {
        Expect.text(permitId, "permitId");
        Costs unused = units.expect(Expect.present(actual, "actual"));
        return timeouts.settlement(() -> engine.settle(permitId, actual));
    }

    /** Ends a permit like {@link #settle}, but never blocks. */
    public CompletionStage<Settlement> settleAsync(String permitId, Costs actual) {
        return stageOf(() -> {
            Expect.text(permitId, "permitId");
            Costs unused = units.expect(Expect.present(actual, "actual"));
            return timeouts.settlementLater(() -> engine.settle(permitId, actual));
        });
    }

    /** Ends a permit by its id, frees its slots and charges the reserved cost. See {@link Permit#release}. */
    public Settlement release(String permitId) {
        Expect.text(permitId, "permitId");
        return timeouts.settlement(() -> engine.settle(permitId, null));
    }

    /** Ends a permit like {@link #release}, but never blocks. */
    public CompletionStage<Settlement> releaseAsync(String permitId) {
        return stageOf(() -> {
            Expect.text(permitId, "permitId");
            return timeouts.settlementLater(() -> engine.settle(permitId, null));
        });
    }

    /** Renews a permit by its id. See {@link Permit#renew}. */
    public Settlement renew(String permitId) {
        Expect.text(permitId, "permitId");
        return timeouts.settlement(() -> engine.renew(permitId));
    }

    /** Renews a permit like {@link #renew}, but never blocks. */
    public CompletionStage<Settlement> renewAsync(String permitId) {
        return stageOf(() -> {
            Expect.text(permitId, "permitId");
            return timeouts.settlementLater(() -> engine.renew(permitId));
        });
    }

    /**
     * Resets every account that the request would be charged to: sets it to zero and lifts its block. Returns normally
     * even if the engine fails; {@link #resetAsync} reports failures.
     */
    public void reset(Request request) {
        Ask ask = policies.match(Expect.present(request, "request"));
        timeouts.done(() -> blocks.reset(ask), ask);
    }

    /**
     * Resets the accounts of an ask like {@link #reset}, but never blocks. The stage fails if the engine fails or does
     * not answer in time. In that case, the reset may have happened, may still happen, or may not happen at all.
     *
     * @param whenLate called if the engine confirms the reset after the stage has failed
     */
    public CompletionStage<Completion> resetAsync(Ask ask, Runnable whenLate) {
        return stageOf(() -> timeouts.doneOrFailed(blocks.reset(Expect.present(ask, "ask")), ask, whenLate));
    }

    /**
     * Sets every key of these counters to zero, and lifts their blocks. For operators: it takes time in proportion to
     * the number of accounts. The stage fails if the engine fails.
     */
    public CompletionStage<Completion> resetCountersAsync(Set<String> counters) {
        return stageOf(() -> engine.resetCounters(Set.copyOf(counters)).whenReady());
    }

    /** Returns the engine that decides. */
    public Engine engine() {
        return engine;
    }

    CountedUnits units() {
        return units;
    }

    ReplyTimeouts timeouts() {
        return timeouts;
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
        Decision decision = timeouts.decision(askEngine(ask), ask);
        notifyListeners(request, decision);
        return decision;
    }

    private CompletionStage<Decision> decideAsync(Request request, Ask ask) {
        Reply<Decision> reply = askEngine(ask);
        Decision ready = reply.ifReady();
        if (ready != null) {
            notifyListeners(request, ready);
            return CompletableFuture.completedFuture(ready);
        }
        CompletableFuture<Decision> later = timeouts.decisionLater(reply, ask);
        return listeners.length == 0
                ? later
                : later.thenApply(decision -> {
                    notifyListeners(request, decision);
                    return decision;
                });
    }

    /**
     * Decides an ask that the caller has built. Applies its {@linkplain PolicyLimit#block block rules}, but does not
     * inform listeners. Never waits.
     */
    @CheckReturnValue
    public CompletionStage<Decision> askAsync(Ask ask) {
        try {
            Reply<Decision> reply = askEngine(Expect.present(ask, "ask"));
            Decision ready = reply.ifReady();
            return ready != null ? CompletableFuture.completedFuture(ready) : timeouts.decisionLater(reply, ask);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Returns the stage that the call returns, or a failed one if the call throws. */
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
            return timeouts.byFailureModes(ask);
        }
    }

    private void notifyListeners(Request request, Decision decision) {
        for (DecisionListener listener : listeners) {
            try {
                listener.onDecision(request, decision);
            } catch (Throwable e) {
                LOG.log(Level.WARNING, "a decision listener failed: " + listener.getClass(), e);
            }
        }
    }

    /** Builds a {@link Limiter}. Not thread-safe. */
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

        /** Sets the engine, which the limiter closes. The default is a {@link MemoryEngine}. */
        public Builder engine(Engine other) {
            engine = Expect.present(other, "engine");
            return this;
        }

        /** Adds a listener, which is called with every decision. */
        public Builder listener(DecisionListener listener) {
            listeners.add(Expect.present(listener, "listener"));
            return this;
        }

        /**
         * Sets the clock of the default engine, of {@link #await}, and of decisions that the policies make without
         * counting.
         */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /**
         * Sets the scheduler for {@link #await}, {@link #acquireWithin}, and the counting of denials by {@linkplain
         * PolicyLimit#block block rules}.
         */
        public Builder scheduler(Scheduler other) {
            scheduler = Expect.present(other, "scheduler");
            return this;
        }

        /** Sets the source of the policies, which is closed with the limiter. */
        Builder source(AutoCloseable opened) {
            source = opened;
            return this;
        }

        /** Builds the limiter. */
        @CheckReturnValue
        public Limiter build() {
            return new Limiter(this);
        }
    }
}
