package dev.penstock.engine;

import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Engine;
import dev.penstock.spi.StackObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All engines of a node around one store, in the order {@code LocalFirst(Guard(DenyCache(Leasing(NewKeyBudget(store)))))}.
 *
 * <p>Thread-safe. Closing {@link #engine} closes all of it. {@link dev.penstock.Penstock} builds it in one call.
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
        this.leasing = Leasing.around(bounded);
        this.denyCache = DenyCache.around(leasing);
        Guard.Builder guarding = Guard.builder(denyCache);
        guarding.listener(builder.observer.outages());
        builder.outageListeners.forEach(guarding::listener);
        if (builder.deadline != null) {
            guarding.deadline(builder.deadline);
        }
        if (builder.nodes != null) {
            guarding.nodes(builder.nodes);
        }
        if (builder.maxWaiting != null) {
            guarding.maxWaiting(builder.maxWaiting);
        }
        this.guard = guarding.build();
        this.engine = LocalFirst.around(guard);
    }

    /** Starts a stack around a store that is shared by several nodes. */
    @CheckReturnValue
    public static Builder builder(Engine store) {
        Expect.present(store, "store");
        return new Builder(() -> store);
    }

    /** Starts a stack around a store that is opened when the stack is built. */
    @CheckReturnValue
    public static Builder builder(Supplier<? extends Engine> store) {
        return new Builder(Expect.present(store, "store"));
    }

    /** The outermost engine, which decides. */
    public Engine engine() {
        return engine;
    }

    public Guard guard() {
        return guard;
    }

    public DenyCache denyCache() {
        return denyCache;
    }

    public Leasing leasing() {
        return leasing;
    }

    /** The innermost engine. */
    public Engine store() {
        return store;
    }

    /** Settings of an {@link EngineStack}; what is not set keeps the default of the engine concerned. Not thread-safe. */
    public static final class Builder {
        private final Supplier<? extends Engine> store;
        private final List<StoreOutageListener> outageListeners = new ArrayList<>();
        private @Nullable Duration deadline;
        private @Nullable Integer nodes;
        private @Nullable Integer maxWaiting;
        private @Nullable Integer newKeysPerSecond = NewKeyBudget.DEFAULT_PER_SECOND;
        private StackObserver observer = new StackObserver() {};

        private Builder(Supplier<? extends Engine> store) {
            this.store = store;
        }

        /** See {@link Guard.Builder#deadline}. */
        public Builder deadline(Duration atMost) {
            deadline = Expect.present(atMost, "deadline");
            return this;
        }

        /** See {@link Guard.Builder#nodes(int)}. */
        public Builder nodes(int expected) {
            nodes = (int) Expect.positive(expected, "nodes");
            return this;
        }

        /** See {@link Guard.Builder#maxWaiting}. */
        public Builder maxWaiting(int decisions) {
            maxWaiting = decisions;
            return this;
        }

        /** The budget of new keys per policy and second, see {@link NewKeyBudget}; null for no budget. */
        public Builder newKeysPerSecond(@Nullable Integer keys) {
            newKeysPerSecond = keys;
            return this;
        }

        /** Reports new keys and outages, and the stack itself once it is built. The other callbacks are for the caller. */
        public Builder observer(StackObserver other) {
            observer = Expect.present(other, "observer");
            return this;
        }

        /** Reports when the store is given up and when it is back. */
        public Builder outageListener(StoreOutageListener listener) {
            outageListeners.add(Expect.present(listener, "outageListener"));
            return this;
        }

        /** Opens the store, if that is left to the builder, and builds the engines around it. Nothing is warmed up. */
        @CheckReturnValue
        public EngineStack build() {
            EngineStack stack = new EngineStack(this);
            observer.onBuilt(stack);
            return stack;
        }
    }
}
