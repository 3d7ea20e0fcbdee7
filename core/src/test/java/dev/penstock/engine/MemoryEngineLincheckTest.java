package dev.penstock.engine;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.testkit.Expected;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.ReferenceEngine;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads do to three keys at once, there is an order of the same calls in which the reference gives the same
 * answers.
 */
class MemoryEngineLincheckTest {
    private static final int MOST_THREADS = 8;
    private static final int KEYS = 3;
    private static final int MOST_COST = 3;
    private static final Limit BUCKET = Limit.tokenBucket(1, Duration.ofDays(1), 3);
    private static final Limit WINDOW = Limit.fixedWindow(2, Duration.ofDays(1));
    private static final Limit SLOTS = Limit.concurrency(2, Duration.ofDays(1));

    private static Charge charge(Limit limit, int key, long cost) {
        return Charge.of(LimitSettings.of("policy", limit), Key.of("lincheck", "key" + key), cost);
    }

    /** Created beforehand, so that the model checker does not explore their creation. */
    private static final Ask[][] SINGLES = new Ask[KEYS + 1][MOST_COST + 1];

    private static final Ask[][] PAIRS = new Ask[KEYS + 1][KEYS + 1];
    private static final Ask[][] PEEKS = new Ask[KEYS + 1][KEYS + 1];
    private static final Ask[] SLOT = new Ask[KEYS + 1];

    static {
        for (int key = 1; key <= KEYS; key++) {
            for (int cost = 1; cost <= MOST_COST; cost++) {
                SINGLES[key][cost] = Ask.of(charge(BUCKET, key, cost));
            }
            for (int other = 1; other <= KEYS; other++) {
                PAIRS[key][other] = Ask.of(charge(WINDOW, key, 1), charge(BUCKET, other, 1));
                PEEKS[key][other] = PAIRS[key][other].peek();
            }
            SLOT[key] = Ask.of(charge(SLOTS, key, 1), charge(WINDOW, key, 1)).hold(Hold.of(Duration.ofHours(1)));
        }
    }

    /** The calls on a memory engine whose clock does not move. */
    @Param(name = "key", gen = IntGen.class, conf = "1:3")
    @Param(name = "cost", gen = IntGen.class, conf = "1:3")
    @Param(name = "thread", gen = ThreadIdGen.class)
    public static class OnTheEngine {
        private final MemoryEngine engine =
                MemoryEngine.builder().clock(new ManualClock()).maxKeys(64).build();
        private final PermitHandle[] held = new PermitHandle[MOST_THREADS];

        @Operation
        public String decide(@Param(name = "key") int key, @Param(name = "cost") int cost) {
            return told(engine.decide(SINGLES[key][cost]));
        }

        @Operation
        public String decidePair(@Param(name = "key") int key, @Param(name = "key") int other) {
            return told(engine.decide(PAIRS[key][other]));
        }

        @Operation
        public String peek(@Param(name = "key") int key, @Param(name = "key") int other) {
            return told(engine.decide(PEEKS[key][other]));
        }

        @Operation
        public void reset(@Param(name = "key") int key, @Param(name = "key") int other) {
            engine.reset(PAIRS[key][other]);
        }

        @Operation
        public String acquire(@Param(name = "thread") int thread, @Param(name = "key") int key) {
            Decision decision = engine.decide(SLOT[key]);
            if (decision instanceof Allowed allowed) {
                held[thread] = allowed.permitHandle();
            }
            return told(decision);
        }

        @Operation
        public String settle(@Param(name = "thread") int thread) {
            PermitHandle grant = held[thread];
            return grant == null
                    ? ""
                    : engine.settle(grant.id(), Costs.of("requests", 0)).toString();
        }

        private static String told(Decision decision) {
            return decision.isAllowed()
                    + decision.limits().stream()
                            .map(LimitStatus::remaining)
                            .toList()
                            .toString();
        }
    }

    /** The same calls on the reference. */
    public static class OnTheReference {
        private final ReferenceEngine reference = new ReferenceEngine();
        private final long now = new ManualClock().micros();
        private final Integer[] held = new Integer[MOST_THREADS];

        public String decide(int key, int cost) {
            return told(reference.decide(SINGLES[key][cost], now));
        }

        public String decidePair(int key, int other) {
            return told(reference.decide(PAIRS[key][other], now));
        }

        public String peek(int key, int other) {
            return told(reference.decide(PEEKS[key][other], now));
        }

        public void reset(int key, int other) {
            reference.reset(PAIRS[key][other]);
        }

        public String acquire(int thread, int key) {
            Expected expected = reference.decide(SLOT[key], now);
            if (expected.permit() != null) {
                held[thread] = expected.permit().handle();
            }
            return told(expected);
        }

        public String settle(int thread) {
            Integer permit = held[thread];
            return permit == null
                    ? ""
                    : reference.settle(permit, Costs.of("requests", 0), now).toString();
        }

        private static String told(Expected expected) {
            return expected.allowed()
                    + expected.charges().stream()
                            .map(Expected.OfCharge::remaining)
                            .collect(Collectors.toList())
                            .toString();
        }
    }

    @Test
    void anyInterleaving_modelChecked_isLinearizable() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .iterations(12)
                .invocationsPerIteration(60)
                .sequentialSpecification(OnTheReference.class)
                .check(OnTheEngine.class);
    }

    @Test
    void anyInterleaving_underStress_isLinearizable() {
        new StressOptions()
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(1)
                .iterations(25)
                .invocationsPerIteration(400)
                .sequentialSpecification(OnTheReference.class)
                .check(OnTheEngine.class);
    }
}
