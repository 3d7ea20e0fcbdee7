package dev.penstock.engine;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.Lockout;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.RandomTrace;
import dev.penstock.testkit.TestSeed;
import dev.penstock.testkit.TraceFlavor;
import dev.penstock.testkit.TraceRunner;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares local limits, for every charge or for none, with the reference, on random traces of every flavor. */
class LocalFirstDifferentialTest {
    private static final int TRACES = 30;
    private static final int STEPS = 400;

    @ParameterizedTest
    @EnumSource
    void randomTraces_allInOnePlace_everyAnswerEqualsTheReferences(TraceFlavor flavor) {
        long seed = TestSeed.printed("local limits " + flavor);
        for (int i = 0; i < TRACES; i++) {
            boolean local = i % 3 != 0;
            new TraceRunner(clock -> new PlacedEngine(localFirst(clock), limit -> local))
                    .run(new RandomTrace(seed + i, flavor), STEPS);
        }
    }

    /**
     * Compares several charges in both places with one engine that has them all. Both allow the same, and all reported
     * limits are equal. Slots are all in one place, because permit lifetimes count in each place separately. So are
     * strikes, because they count at once.
     */
    @Test
    void randomTraces_inBothPlaces_allowTheSame() {
        long seed = TestSeed.printed("local limits in both places");
        for (int i = 0; i < 5 * TRACES; i++) {
            int parity = i % 2;
            new TraceRunner(clock -> new SameAnswers(
                            new PlacedEngine(
                                    localFirst(clock),
                                    limit -> !(limit.algorithm() instanceof Concurrency)
                                            && !(limit.algorithm() instanceof Lockout)
                                            && (limit.rule().shape().hashCode() & 1) == parity),
                            memory(clock)))
                    .run(new RandomTrace(seed + i, TraceFlavor.STACKED), STEPS);
        }
    }

    private static Engine localFirst(ManualClock clock) {
        return LocalFirst.builder(memory(clock))
                .clock(clock)
                .maxKeys(1_000)
                .rememberFor(Algorithm.LONGEST)
                .build();
    }

    private static Engine memory(ManualClock clock) {
        return MemoryEngine.builder()
                .clock(clock)
                .rememberFor(Algorithm.LONGEST)
                .build();
    }

    /**
     * Returns the answers of a bare engine, after comparing another engine's answers with them, until an account is
     * used under other numbers. A store that is not asked converts such an account later. A retry under an id is left
     * out, unless it is decided again because its permit has ended. A local limit charges a retry again, and a local
     * denial does not claim the id.
     */
    private static final class SameAnswers extends CountingEngine {
        private final Engine other;
        private final Map<String, Limit> limits = new HashMap<>();
        private final Map<String, Decision> allowed = new HashMap<>();
        private boolean changed;

        SameAnswers(Engine other, Engine bare) {
            super(bare);
            this.other = other;
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            Decision truth = Objects.requireNonNull(super.decide(ask).ifReady());
            for (Charge charge : ask.charges()) {
                String account = charge.key() + charge.limit().rule().shape();
                Limit before = limits.putIfAbsent(account, charge.limit());
                changed |= before != null && !before.equals(charge.limit());
            }
            boolean isTaken = truth instanceof Denied denied && denied.reason() == Denied.Reason.ID_TAKEN;
            if (changed || isTaken || isAgain(ask, truth)) {
                return truth;
            }
            Decision got = Objects.requireNonNull(other.decide(ask).ifReady());
            if (got.isAllowed() != truth.isAllowed() || !figures(truth).containsAll(figures(got))) {
                throw new IllegalStateException(got.limits() + " (expected: " + truth.limits() + ")");
            }
            if (ask.id() != null && truth.isAllowed()) {
                allowed.put(ask.id(), truth);
            }
            return truth;
        }

        private boolean isAgain(Ask ask, Decision truth) {
            Decision before = ask.id() == null ? null : allowed.get(ask.id());
            return before != null && (!truth.isAllowed() || Objects.equals(grant(truth), grant(before)));
        }

        private static @Nullable PermitHandle grant(Decision decision) {
            return ((Allowed) decision).permitHandle();
        }

        private static List<List<Object>> figures(Decision decision) {
            return decision.limits().stream()
                    .map(status -> Arrays.<Object>asList(
                            status.charge().toString(),
                            status.outcome(),
                            status.resetAfter(),
                            status.remaining(),
                            status.retry()))
                    .toList();
        }

        @Override
        public Reply<Completion> reset(Ask ask) {
            other.reset(ask);
            return super.reset(ask);
        }
    }
}
