package dev.penstock.observe;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.observe.TopKeysReport.OfPolicy;
import dev.penstock.spi.Charge;
import dev.penstock.spi.DecisionListener;
import dev.penstock.spi.Key;
import dev.penstock.spi.StaticDecision;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the keys that are requested most and denied most in each policy, and estimates the number of keys of each
 * policy. Covers this process, over the current time span and the one before it.
 *
 * <p>Memory is bounded: at most {@value #KEPT} keys are kept per policy and stripe, for at most {@value #MOST_POLICIES}
 * policies. A count is never too low, and too high by at most 1/{@value #KEPT} of all requests of the policy. A key
 * with a larger share than that is always listed. Requests that were decided by a list have no key.
 *
 * <p>It has no thread. Call {@link #turn} at the end of a time span to begin a new one.
 */
public final class TopKeys implements DecisionListener, MeterBinder {
    /** The number of keys that are kept per policy. */
    public static final int KEPT = 128;

    /** The maximum number of policies, first come, first served. */
    public static final int MOST_POLICIES = 500;

    private static final int MOST_STRIPES = 4;
    private static final double MICROS_A_SECOND = 1e6;

    private final Clock clock;
    private final long hotPerSecond;
    private final Stripe[] stripes;
    private final LongAdder detected = new LongAdder();

    /** The start of the previous time span, followed by the start of the current one. Guarded by this. */
    private long lastSinceMicros;

    private long sinceMicros;
    private Set<Key> hot = Set.of();

    /**
     * Creates an empty summary.
     *
     * @param hotPerSecond the decisions per second, averaged over a time span, above which a key is hot
     */
    public TopKeys(Clock clock, long hotPerSecond) {
        this.clock = Expect.present(clock, "clock");
        this.hotPerSecond = Expect.positive(hotPerSecond, "hotPerSecond");
        int wanted = Math.min(MOST_STRIPES, Runtime.getRuntime().availableProcessors());
        this.stripes = new Stripe[Integer.highestOneBit(wanted)];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
        }
        this.sinceMicros = clock.micros();
        this.lastSinceMicros = sinceMicros;
    }

    /** The traffic of one policy in a time span. */
    private static final class Traffic {
        private final SpaceSaving asked = new SpaceSaving(KEPT);
        private final SpaceSaving denied = new SpaceSaving(KEPT);
        private final DistinctCount keys = new DistinctCount();
    }

    /** The traffic that some of the threads recorded. Guarded by itself. */
    private static final class Stripe {
        private Map<String, Traffic> last = Map.of();
        private Map<String, Traffic> present = new HashMap<>();

        void asked(Charge charge) {
            Traffic traffic = of(charge.settings().policy());
            if (traffic != null) {
                int hash = charge.key().hashCode();
                traffic.asked.add(charge.key(), hash);
                traffic.keys.add(hash);
            }
        }

        void denied(Charge charge) {
            Traffic traffic = of(charge.settings().policy());
            if (traffic != null) {
                traffic.denied.add(charge.key(), charge.key().hashCode());
            }
        }

        private @Nullable Traffic of(String policy) {
            Traffic known = present.get(policy);
            if (known == null && present.size() < MOST_POLICIES) {
                known = new Traffic();
                present.put(policy, known);
            }
            return known;
        }

        Set<String> policies() {
            Set<String> names = new HashSet<>(last.keySet());
            names.addAll(present.keySet());
            return names;
        }

        /** Visits the traffic of a policy in both time spans. */
        void visit(String policy, Consumer<Traffic> visitor) {
            Traffic before = last.get(policy);
            if (before != null) {
                visitor.accept(before);
            }
            visitPresent(policy, visitor);
        }

        void visitPresent(String policy, Consumer<Traffic> visitor) {
            Traffic now = present.get(policy);
            if (now != null) {
                visitor.accept(now);
            }
        }

        void turn() {
            last = present;
            present = new HashMap<>();
        }
    }

    @Override
    public void onDecision(Request request, Decision decision) {
        List<Charge> charges = decision.charges();
        if (charges.isEmpty()) {
            ruled(decision);
            return;
        }
        List<LimitStatus> limits = decision.isAllowed() ? List.of() : decision.limits();
        Stripe stripe = stripe();
        synchronized (stripe) {
            for (int i = 0; i < charges.size(); i++) {
                stripe.asked(charges.get(i));
            }
            for (int i = 0; i < limits.size(); i++) {
                if (denies(limits.get(i)) && !isCounted(limits, i)) {
                    stripe.denied(limits.get(i).charge());
                }
            }
        }
    }

    /** Counts a request whose key an operator has blocked. Such a client may keep sending requests. */
    private void ruled(Decision decision) {
        StaticDecision staticDecision = decision.staticDecision();
        Charge about = staticDecision == null ? null : staticDecision.about();
        if (about == null) {
            return;
        }
        Stripe stripe = stripe();
        synchronized (stripe) {
            stripe.asked(about);
            if (!decision.isAllowed()) {
                stripe.denied(about);
            }
        }
    }

    private Stripe stripe() {
        return stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)];
    }

    private static boolean denies(LimitStatus limit) {
        return limit.isExceeded() && limit.isEnforced();
    }

    /** Returns true if an earlier limit already denied the same key. A limit and its block have the same key. */
    private static boolean isCounted(List<LimitStatus> limits, int index) {
        LimitStatus limit = limits.get(index);
        for (int i = 0; i < index; i++) {
            LimitStatus before = limits.get(i);
            if (denies(before)
                    && before.policy().equals(limit.policy())
                    && before.key().equals(limit.key())) {
                return true;
            }
        }
        return false;
    }

    /** Begins a new time span. The current one becomes the previous one, which is dropped. */
    public synchronized void turn() {
        long now = clock.micros();
        long spanMicros = Math.max(1, now - sinceMicros);
        Set<Key> found = new HashSet<>();
        for (String policy : policies()) {
            Ranking ranking = new Ranking();
            forEachStripe(stripe -> stripe.visitPresent(policy, traffic -> ranking.add(traffic.asked)));
            for (TopKey topKey : ranking.top(KEPT).topKeys()) {
                if (topKey.atLeast() / (double) spanMicros * MICROS_A_SECOND >= hotPerSecond) {
                    found.add(topKey.key());
                }
            }
        }
        found.stream().filter(key -> !hot.contains(key)).forEach(key -> detected.increment());
        hot = Set.copyOf(found);
        forEachStripe(Stripe::turn);
        lastSinceMicros = sinceMicros;
        sinceMicros = now;
    }

    /** Returns the time that all counts cover. */
    public synchronized Duration span() {
        return Duration.of(Math.max(1, clock.micros() - lastSinceMicros), ChronoUnit.MICROS);
    }

    /** Returns the keys that were hot in the last time span. */
    public synchronized Set<Key> hot() {
        return hot;
    }

    /** Returns how many keys have become hot since the start. */
    public long detected() {
        return detected.sum();
    }

    /** Returns the names of the policies with requests in the current or the previous time span. */
    public Set<String> policies() {
        Set<String> names = new TreeSet<>();
        forEachStripe(stripe -> names.addAll(stripe.policies()));
        return names;
    }

    /** Returns the most requested keys of a policy. */
    public TopKeyList asked(String policy, int most) {
        Ranking ranking = new Ranking();
        forEachStripe(stripe -> stripe.visit(policy, traffic -> ranking.add(traffic.asked)));
        return ranking.top(most);
    }

    /** Returns the keys that enforced limits of a policy denied most. */
    public TopKeyList denied(String policy, int most) {
        Ranking ranking = new Ranking();
        forEachStripe(stripe -> stripe.visit(policy, traffic -> ranking.add(traffic.denied)));
        return ranking.top(most);
    }

    /** Returns the most requested and most denied keys of every policy. */
    public TopKeysReport report(int most) {
        return new TopKeysReport(
                span(),
                1,
                policies().stream()
                        .map(policy -> new OfPolicy(policy, asked(policy, most), denied(policy, most)))
                        .toList());
    }

    /** Estimates the number of keys of the policy, with a standard error of 3.3 %. */
    public long keys(String policy) {
        DistinctCount all = new DistinctCount();
        forEachStripe(stripe -> stripe.visit(policy, traffic -> all.add(traffic.keys)));
        return all.estimate();
    }

    /**
     * Reports the number of keys that have become hot. {@link DecisionMeters.Builder#liveKeys} reports the number of
     * live keys.
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("rate.limiter.hot.keys.detected", this, TopKeys::detected)
                .description("Keys that became hot.")
                .register(registry);
    }

    private void forEachStripe(Consumer<Stripe> action) {
        for (Stripe stripe : stripes) {
            synchronized (stripe) {
                action.accept(stripe);
            }
        }
    }
}
