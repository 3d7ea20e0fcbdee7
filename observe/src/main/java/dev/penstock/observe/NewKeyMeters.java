package dev.penstock.observe;

import dev.penstock.spi.NewKeyListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** Counts the new keys of each policy, for at most {@value #MOST} policies; the rest share {@code (others)}. Thread-safe. */
final class NewKeyMeters implements NewKeyListener {
    static final int MOST = 1_000;

    private final MeterRegistry registry;
    private final BooleanSupplier isMuted;
    private final Map<String, Policy> policies = new ConcurrentHashMap<>();

    /**
     * Creates the counters.
     *
     * @param isMuted returns true while nothing must be counted
     */
    NewKeyMeters(MeterRegistry registry, BooleanSupplier isMuted) {
        this.registry = registry;
        this.isMuted = isMuted;
    }

    /** The counters of one policy. */
    private final class Policy {
        private final LongAdder made;
        private final LongAdder denied;
        private final LongAdder skipped;

        Policy(String name) {
            made = counter(
                    "rate.limiter.new.keys",
                    "New keys in Redis that live for more than a minute, by policy. Only with Redis.",
                    name);
            denied = counter(
                    "rate.limiter.new.keys.denied",
                    "Requests denied because they needed a new key and their policy had used up redis_new_keys. Only with Redis.",
                    name);
            skipped = counter(
                    "rate.limiter.new.keys.skipped",
                    "Charges of shadow policies that were not counted because redis_new_keys was used up. Their requests were not denied. Only with Redis.",
                    name);
        }

        private LongAdder counter(String name, String description, String policy) {
            LongAdder counted = new LongAdder();
            FunctionCounter.builder(name, counted, LongAdder::sum)
                    .description(description)
                    .tag("policy", policy)
                    .register(registry);
            return counted;
        }
    }

    @Override
    public void onNewKey(String policy) {
        if (!isMuted.getAsBoolean()) {
            of(policy).made.increment();
        }
    }

    @Override
    public void onDenied(String policy) {
        if (!isMuted.getAsBoolean()) {
            of(policy).denied.increment();
        }
    }

    @Override
    public void onSkipped(String policy) {
        if (!isMuted.getAsBoolean()) {
            of(policy).skipped.increment();
        }
    }

    private Policy of(String name) {
        Policy known = policies.get(name);
        return known == null ? begun(name) : known;
    }

    private synchronized Policy begun(String name) {
        String told = policies.containsKey(name) || policies.size() < MOST ? name : Series.OTHERS;
        return policies.computeIfAbsent(told, Policy::new);
    }
}
