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
import dev.penstock.testkit.TraceFlavour;
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

/** A first layer that has every charge, or none, against the reference, on random traces of every flavour. */
class LocalFirstDifferentialTest {
    private static final int TRACES = 30;
    private static final int STEPS = 400;

    @ParameterizedTest
    @EnumSource
    void randomTraces_allInOnePlace_everyAnswerIsTheReferences(TraceFlavour flavour) {
        long seed = TestSeed.printed("first layer " + flavour);
        for (int i = 0; i < TRACES; i++) {
            boolean local = i % 3 != 0;
            new TraceRunner(clock -> new PlacedEngine(firstLayer(clock), limit -> local))
                    .run(new RandomTrace(seed + i, flavour), STEPS);
        }
    }

    /**
     * Several charges in both places, against one engine that has them all: the same is allowed, and every limit told of
     * stands the same. Slots are all in one place, since the terms of a permit count in each place by itself; so are
     * strikes, which count at once.
     */
    @Test
    void randomTraces_inBothPlaces_allowTheSame() {
        long seed = TestSeed.printed("first layer in both places");
        for (int i = 0; i < 5 * TRACES; i++) {
            int parity = i % 2;
            new TraceRunner(clock -> new SameAnswers(
                            new PlacedEngine(
                                    firstLayer(clock),
                                    limit -> !(limit.algorithm() instanceof Concurrency)
                                            && !(limit.algorithm() instanceof Lockout)
                                            && (limit.rule().shape().hashCode() & 1) == parity),
                            memory(clock)))
                    .run(new RandomTrace(seed + i, TraceFlavour.STACKED), STEPS);
        }
    }

    private static Engine firstLayer(ManualClock clock) {
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
     * Gives the answers of a bare engine, after holding another's against them; until an account is met under other
     * numbers, which a store that is not asked takes over later. A second try under an id is left out, unless it is decided anew because its permit is over: it is charged here, and a denial here takes no id.
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
