package dev.penstock.engine;

import dev.penstock.FailureMode;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Engine;
import dev.penstock.spi.StackObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All engines of a node around one store, in the order {@code
 * LocalFirst(Guard(DenyCache(Leasing(NewKeyBudget(store)))))}.
 *
 * <p>Thread-safe. Closing {@link #engine} closes all of them. {@link dev.penstock.Penstock} builds the stack in one
 * call.
 */
public final class EngineStack {
    private final Engine store;
    private final Leasing leasing;
    private final DenyCache denyCache;
    private final Guard guard;
    private final LocalFirst engine;

    private EngineStack(Builder builder) {
        this.store = builder.store.get();
        Integer newKeys = builder.newKeysPerSecond;
        Engine bounded = newKeys == null
                ? store
                : NewKeyBudget.builder(store)
                        .perSecond(newKeys)
                        .listener(builder.observer.newKeys())
                        .build();
        Leasing.Builder drawing = Leasing.builder(bounded);
        set(builder.leaseKeys, drawing::maxKeys);
        this.leasing = drawing.build();
        DenyCache.Builder caching = DenyCache.builder(leasing);
        set(builder.denyCacheKeys, caching::maxKeys);
        this.denyCache = caching.build();
        Guard.Builder guarding = Guard.builder(denyCache);
        guarding.listener(builder.observer.outages());
        builder.outageListeners.forEach(guarding::listener);
        set(builder.deadline, guarding::deadline);
        set(builder.maxWait, guarding::maxWait);
        set(builder.nodes, guarding::nodes);
        set(builder.maxWaiting, guarding::maxWaiting);
        set(builder.localFor, guarding::localFor);
        set(builder.then, guarding::then);
        set(builder.outageKeys, guarding::maxKeys);
        set(builder.rememberFor, guarding::rememberFor);
        this.guard = guarding.build();
        LocalFirst.Builder deciding = LocalFirst.builder(guard);
        set(builder.localKeys, deciding::maxKeys);
        set(builder.whenFull, deciding::whenFull);
        set(builder.rememberFor, deciding::rememberFor);
        this.engine = deciding.build();
    }

    /** Passes a setting on, unless it was left out. */
    private static <T> void set(@Nullable T value, Consumer<T> setting) {
        if (value != null) {
            setting.accept(value);
        }
    }

    /** Returns a builder of a stack around a store that several nodes share. */
    @CheckReturnValue
    public static Builder builder(Engine store) {
        Expect.present(store, "store");
        return new Builder(() -> store);
    }

    /** Returns a builder of a stack around a store that is opened when the stack is built. */
    @CheckReturnValue
    public static Builder builder(Supplier<? extends Engine> store) {
        return new Builder(Expect.present(store, "store"));
    }

    /** Returns the outermost engine, which decides. */
    public Engine engine() {
        return engine;
    }

    /** Returns the engine that enforces deadlines and failure modes. */
    public Guard guard() {
        return guard;
    }

    /** Returns the engine that repeats denials of the store. */
    public DenyCache denyCache() {
        return denyCache;
    }

    /** Returns the engine that draws permits of hot keys in advance. */
    public Leasing leasing() {
        return leasing;
    }

    /** Returns the innermost engine. */
    public Engine store() {
        return store;
    }

    /**
     * Builds an {@link EngineStack}. A setting that is left out keeps the default of its engine. Each setting is
     * checked when it is set, so that a wrong one is rejected before the store is opened. Not thread-safe.
     */
    public static final class Builder {
        private final Supplier<? extends Engine> store;
        private final List<StoreOutageListener> outageListeners = new ArrayList<>();
        private @Nullable Duration deadline;
        private @Nullable Integer nodes;
        private @Nullable Integer maxWaiting;
        private @Nullable Integer newKeysPerSecond = NewKeyBudget.DEFAULT_PER_SECOND;
        private @Nullable Duration maxWait;
        private @Nullable Duration localFor;
        private @Nullable FailureMode then;
        private @Nullable Integer outageKeys;
        private @Nullable Integer denyCacheKeys;
        private @Nullable Integer leaseKeys;
        private @Nullable Integer localKeys;
        private @Nullable WhenFull whenFull;
        private @Nullable Duration rememberFor;
        private StackObserver observer = new StackObserver() {};

        private Builder(Supplier<? extends Engine> store) {
            this.store = store;
        }

        /** Sets how long the store may take for a decision. See {@link Guard.Builder#deadline}. */
        public Builder deadline(Duration atMost) {
            deadline = GuardBounds.deadline(atMost);
            return this;
        }

        /** Sets the number of nodes that share the limits. See {@link Guard.Builder#nodes(int)}. */
        public Builder nodes(int expected) {
            nodes = GuardBounds.nodes(expected);
            return this;
        }

        /** Sets how many decisions may wait for the store at a time. See {@link Guard.Builder#maxWaiting}. */
        public Builder maxWaiting(int decisions) {
            maxWaiting = GuardBounds.maxWaiting(decisions);
            return this;
        }

        /** Sets how long a decision may wait in total. See {@link Guard.Builder#maxWait}. */
        public Builder maxWait(Duration atMost) {
            maxWait = GuardBounds.maxWait(atMost);
            return this;
        }

        /** Sets how long local shares may decide in an outage. See {@link Guard.Builder#localFor}. */
        public Builder localFor(Duration atMost) {
            localFor = GuardBounds.localFor(atMost);
            return this;
        }

        /** Sets the failure mode after {@link #localFor}. See {@link Guard.Builder#then}. */
        public Builder then(FailureMode mode) {
            then = Expect.present(mode, "then");
            return this;
        }

        /** Sets the number of accounts that the guard keeps for outages. See {@link Guard.Builder#maxKeys}. */
        public Builder outageKeys(int most) {
            outageKeys = (int) Expect.between(most, 1, GuardBounds.LARGEST_MAX_KEYS, "outageKeys");
            return this;
        }

        /** Sets the number of accounts whose denials are cached. See {@link DenyCache.Builder#maxKeys}. */
        public Builder denyCacheKeys(int most) {
            denyCacheKeys = (int) Expect.between(most, 1, DenyCache.Builder.LARGEST_MAX_KEYS, "denyCacheKeys");
            return this;
        }

        /** Sets the number of keys whose demand is tracked for leases. See {@link Leasing.Builder#maxKeys}. */
        public Builder leaseKeys(int most) {
            leaseKeys = (int) Expect.between(most, 1, Leasing.Builder.LARGEST_MAX_KEYS, "leaseKeys");
            return this;
        }

        /** Sets the number of accounts of local limits. See {@link LocalFirst.Builder#maxKeys}. */
        public Builder localKeys(int most) {
            localKeys = (int) Expect.between(most, 1, LocalFirst.Builder.LARGEST_MAX_KEYS, "localKeys");
            return this;
        }

        /** Sets what happens to a new key of a local limit if there is no room. See {@link LocalFirst.Builder#whenFull}. */
        public Builder whenFull(WhenFull choice) {
            whenFull = Expect.present(choice, "whenFull");
            return this;
        }

        /**
         * Sets how long the guard and the local limits remember their answers to settled permits and to requests with
         * an id. The store has a setting of its own.
         */
        public Builder rememberFor(Duration time) {
            rememberFor = GuardBounds.rememberFor(time);
            return this;
        }

        /** Sets the budget of new keys per policy and second; null for no budget. See {@link NewKeyBudget}. */
        public Builder newKeysPerSecond(@Nullable Integer keys) {
            newKeysPerSecond = keys == null ? null : (int) NewKeyBudget.Builder.checkPerSecond(keys);
            return this;
        }

        /**
         * Sets the observer that receives new keys, outages, and the built stack. The caller must connect
         * {@link StackObserver#trips}, {@link StackObserver#decisions} and {@link StackObserver#around}.
         */
        public Builder observer(StackObserver other) {
            observer = Expect.present(other, "observer");
            return this;
        }

        /** Adds a listener for the events of outages. See {@link StoreOutageEvent}. */
        public Builder outageListener(StoreOutageListener listener) {
            outageListeners.add(Expect.present(listener, "outageListener"));
            return this;
        }

        /**
         * Builds the engines around the store, and opens the store if the builder was given a supplier. Nothing is
         * warmed up.
         */
        @CheckReturnValue
        public EngineStack build() {
            EngineStack stack = new EngineStack(this);
            observer.onBuilt(stack);
            return stack;
        }
    }
}
