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
 * Who asks most, and who is denied most, in each policy; and about how many keys a policy has had to do with. All of it of this
 * process, over the present span of time and the one before it.
 *
 * <p>Memory is bounded: of each policy at most {@value #KEPT} keys are kept for each of few threads, of {@value #MOST_POLICIES}
 * policies. A count is never too low, and too high by at most one in {@value #KEPT} of all that was asked of the policy; whoever
 * has a larger share than that is in the list. Requests that were decided by a list have no key.
 *
 * <p>It has no thread of its own: {@link #turn} begins a new span, and is to be called when one is over.
 */
public final class TopKeys implements DecisionListener, MeterBinder {
    /** How many keys are kept of each policy. */
    public static final int KEPT = 128;

    /** How many policies are looked at; those that come first. */
    public static final int MOST_POLICIES = 500;

    private static final int MOST_STRIPES = 4;
    private static final double MICROS_A_SECOND = 1e6;

    private final Clock clock;
    private final long hotPerSecond;
    private final Stripe[] stripes;
    private final LongAdder detected = new LongAdder();

    /** When the span before the present one began, and the present one. Guarded by this. */
    private long lastSinceMicros;

    private long sinceMicros;
    private Set<Key> hot = Set.of();

    /** @param hotPerSecond so many decisions a second, over a span, make a key a hot one */
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

    /** What was seen of one policy in a span. */
    private static final class Traffic {
        private final SpaceSaving asked = new SpaceSaving(KEPT);
        private final SpaceSaving denied = new SpaceSaving(KEPT);
        private final DistinctCount keys = new DistinctCount();
    }

    /** What some of the threads saw. Guarded by itself. */
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

        /** What was seen of a policy in both spans. */
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

    /** One whose key was blocked by hand goes on asking. */
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

    /** Whether the key of a limit was denied by one before it already: a limit and its block have one key. */
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

    /** Begins a new span: the present one becomes the last, and that before it is forgotten. */
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

    /** How long a time all figures are of. */
    public synchronized Duration span() {
        return Duration.of(Math.max(1, clock.micros() - lastSinceMicros), ChronoUnit.MICROS);
    }

    /** Those that were hot in the last span. */
    public synchronized Set<Key> hot() {
        return hot;
    }

    /** How many keys have become hot since the start. */
    public long detected() {
        return detected.sum();
    }

    /** The policies that were asked, by name. */
    public Set<String> policies() {
        Set<String> names = new TreeSet<>();
        forEachStripe(stripe -> names.addAll(stripe.policies()));
        return names;
    }

    /** The keys of a policy that were asked for most. */
    public TopKeyList asked(String policy, int most) {
        Ranking ranking = new Ranking();
        forEachStripe(stripe -> stripe.visit(policy, traffic -> ranking.add(traffic.asked)));
        return ranking.top(most);
    }

    /** Those that were denied most, by a limit that is enforced. */
    public TopKeyList denied(String policy, int most) {
        Ranking ranking = new Ranking();
        forEachStripe(stripe -> stripe.visit(policy, traffic -> ranking.add(traffic.denied)));
        return ranking.top(most);
    }

    /** Both of every policy. */
    public TopKeysReport report(int most) {
        return new TopKeysReport(
                span(),
                1,
                policies().stream()
                        .map(policy -> new OfPolicy(policy, asked(policy, most), denied(policy, most)))
                        .toList());
    }

    /** About how many keys the policy had to do with; 3.3 % more or less is usual. */
    public long keys(String policy) {
        DistinctCount all = new DistinctCount();
        forEachStripe(stripe -> stripe.visit(policy, traffic -> all.add(traffic.keys)));
        return all.estimate();
    }

    /** Tells how many keys have become hot; how many there are is told by {@link DecisionMeters.Builder#liveKeys}. */
    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("rate.limiter.hot.keys.detected", this, TopKeys::detected)
                .description("Keys that have become hot.")
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
