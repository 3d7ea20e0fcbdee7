package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.algorithm.Rule;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.TestSeed;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestInstance;

/**
 * Compares random asks in a real Redis with the memory engine, which gets them one by one. Every answer is the same.
 * {@code batch.lua} decides many in one call, {@code request.lua} and {@code bucket.lua} decide one, by turns and on the
 * same states. If a script replies that an ask needs {@code decide.lua}, that script decides it. So this test shows that
 * the arithmetic of all four is the same, and equals that of Java. Some keys have foreign values, and only asks for those
 * fail.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PackedCallDifferentialIT {
    private static final int BATCHES = 200;
    private static final int MOST_ASKS = 24;
    private static final int MOST_EQUAL = 12;
    private static final int KEYS = 9;
    private static final String FOREIGN = "foreign";

    /**
     * Values that another program may have left: a list, a text, texts that look like a state in the short form, a
     * truncated state.
     */
    private static final List<String[]> FOREIGN_STATES = List.of(
            new String[] {"RPUSH", "0"},
            new String[] {"SET", "0"},
            new String[] {"SET", "1000"},
            new String[] {"SET", "1000 and then a text"},
            new String[] {"SET", "1000190000000000.5 "},
            new String[] {"SET", "1000abcdefghijklmno"},
            new String[] {"SET", "\u0001"});

    private static final List<Limit> LIMITS = List.of(
            Limit.tokenBucket(10, Duration.ofSeconds(1)),
            Limit.tokenBucket(1_000, Duration.ofDays(1)),
            // a full backlog does not fit in the short form
            Limit.tokenBucket(1, Duration.ofDays(10), 1_000).maxDebt(0),
            Limit.tokenBucket(100, Duration.ofMinutes(1), 300),
            Limit.tokenBucket(7, Duration.ofSeconds(1), 30),
            Limit.tokenBucket(1_000_003, Duration.ofMinutes(1), 70),
            Limit.fixedWindow(20, Duration.ofSeconds(10)),
            Limit.slidingWindow(20, Duration.ofSeconds(10)));

    /**
     * The same limits with changed numbers. A window keeps its length, because another length would be another account.
     */
    private static final List<Limit> CHANGED = List.of(
            Limit.tokenBucket(20, Duration.ofSeconds(1), 15),
            Limit.tokenBucket(100, Duration.ofDays(1), 50),
            Limit.tokenBucket(1, Duration.ofDays(20), 400).maxDebt(0),
            Limit.tokenBucket(7, Duration.ofMinutes(1), 200),
            Limit.tokenBucket(9, Duration.ofSeconds(2), 40),
            Limit.tokenBucket(999_983, Duration.ofMinutes(2), 20),
            Limit.fixedWindow(12, Duration.ofSeconds(10)),
            Limit.slidingWindow(30, Duration.ofSeconds(10)));

    private final RedisServer redis = startServer();
    private final RedisClient client = RedisClient.create(redis.uri());
    private final StatefulRedisConnection<String, byte[]> connection =
            client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
    private final Map<PackedCall.Target, Script> scripts = Stream.of(PackedCall.Target.values())
            .collect(Collectors.toMap(target -> target, target -> Script.onGivenTime(Script.of(target))));
    private final Map<PackedCall.Target, Integer> decided = new EnumMap<>(PackedCall.Target.class);
    private final Script decide = Script.onGivenTime(Script.DECIDE);
    private final KeyNames names = new KeyNames("p1");

    RedisServer startServer() {
        return RedisServer.start();
    }

    @AfterAll
    void stop() {
        assertThat(decided).as("calls of each script").containsOnlyKeys(PackedCall.Target.values());
        connection.close();
        client.shutdown();
        redis.close();
    }

    @RepeatedTest(8)
    void randomBatches_everyAnswerEqualsTheMemoryEngines() {
        Random random = new Random(TestSeed.printed("random batches"));
        redis.command("FLUSHALL");
        ManualClock clock = new ManualClock();
        int limits = 1 + random.nextInt(LIMITS.size()); // with few limits, an answer is narrow
        int marksFrom = random.nextInt(BATCHES / 2);
        try (MemoryEngine memory = MemoryEngine.builder().clock(clock).build()) {
            for (int i = 0; i < BATCHES; i++) {
                plantForeignStates(random, limits, clock.micros());
                List<Ask> asks = randomAsks(random, () -> randomAsk(random, limits, LIMITS));
                boolean isMarked = i > marksFrom;
                List<PackedCall> calls =
                        calls(random, asks, clock, (counter, rule) -> isMarked ? mark(rule) : RuleIds.NONE);
                for (PackedCall call : calls) {
                    Comparison comparison = new Comparison(memory, clock);
                    call.read(run(call, clock), comparison);
                    assertThat(comparison.others)
                            .as("asks that %s left to decide.lua", call.target())
                            .isEmpty();
                }
                clock.advance(Duration.ofNanos(1_000L * random.nextInt(random.nextBoolean() ? 10_000 : 4_000_000)));
            }
        }
    }

    @RepeatedTest(8)
    void randomBatches_limitsChangeAndTheClockIsSetBack_everyAnswerEqualsTheMemoryEngines() {
        Random random = new Random(TestSeed.printed("random batches with changes"));
        redis.command("FLUSHALL");
        ManualClock clock = new ManualClock();
        int limits = 1 + random.nextInt(LIMITS.size());
        try (MemoryEngine memory = MemoryEngine.builder().clock(clock).build()) {
            chargeEveryAccount(limits, memory, clock);
            List<Limit> current = LIMITS;
            for (int i = 0; i < BATCHES; i++) {
                current = random.nextInt(20) == 0 ? current == LIMITS ? CHANGED : LIMITS : current;
                List<Limit> now = current;
                List<Ask> asks = randomAsks(random, () -> {
                    // sent by a node whose policies are a little older
                    List<Limit> used = random.nextInt(100) == 0 ? LIMITS : now;
                    return withoutForeign(random, limits, used);
                });
                for (PackedCall call : calls(random, asks, clock, (counter, rule) -> mark(rule))) {
                    Comparison comparison = new Comparison(memory, clock);
                    call.read(run(call, clock), comparison);
                    comparison.decideTheOthers();
                }
                boolean isSetBack = random.nextInt(25) == 0;
                clock.advance(Duration.ofNanos((isSetBack ? -1_000L : 1_000L)
                        * random.nextInt(isSetBack ? 30_000_000 : random.nextBoolean() ? 10_000 : 4_000_000)));
            }
            assertThat(memory.stats().evictedIdle())
                    .as("idle accounts that the memory engine evicted")
                    .isZero();
        }
    }

    /**
     * Adds every account that a trace may use. The memory engine evicts idle accounts only when it adds one. Redis
     * keeps them during the test, so the two would differ once the clock is set back.
     */
    private void chargeEveryAccount(int limits, MemoryEngine memory, ManualClock clock) {
        for (Limit limit : LIMITS.subList(0, limits)) {
            Batch batch = new Batch((counter, rule) -> mark(rule));
            for (int k = 0; k < KEYS; k++) {
                Ask ask = Ask.of(charge(limit, "k" + k, 1, Enforcement.ENFORCED));
                assertThat(batch.add(asked(ask, clock))).isTrue();
            }
            Comparison comparison = new Comparison(memory, clock);
            batch.read(run(batch, clock), comparison);
            comparison.decideTheOthers();
        }
        assertThat(memory.stats().keys()).isEqualTo(limits * KEYS);
    }

    private BatchedAsk asked(Ask ask, ManualClock clock) {
        return Objects.requireNonNull(BatchedAsk.of(ask, names, clock.micros()));
    }

    /** Returns asks in random order, some of them equal. */
    private static List<Ask> randomAsks(Random random, Supplier<Ask> drawn) {
        List<Ask> asks = new ArrayList<>();
        boolean isHot = random.nextInt(4) == 0;
        for (int left = 1 + random.nextInt(MOST_ASKS); left > 0; left--) {
            Ask ask = drawn.get();
            asks.addAll(Collections.nCopies(isHot ? 1 + random.nextInt(MOST_EQUAL) : 1, ask));
        }
        Collections.shuffle(asks, random);
        return asks;
    }

    /** Returns the calls that send these asks: in batches, or each alone. */
    private List<PackedCall> calls(
            Random random, List<Ask> asks, ManualClock clock, ToIntBiFunction<String, Rule> ruleIds) {
        List<PackedCall> calls = new ArrayList<>();
        if (random.nextInt(5) == 0) {
            for (Ask ask : asks) {
                calls.add(new SingleRequest(asked(ask, clock), ruleIds));
            }
            return calls;
        }
        Batch batch = new Batch(ruleIds);
        for (Ask ask : asks) {
            if (!batch.add(asked(ask, clock))) {
                calls.add(batch);
                batch = new Batch(ruleIds);
                assertThat(batch.add(asked(ask, clock))).isTrue();
            }
        }
        calls.add(batch);
        return calls;
    }

    private static Ask withoutForeign(Random random, int limits, List<Limit> used) {
        Ask ask = randomAsk(random, limits, used);
        return isForeign(ask) ? withoutForeign(random, limits, used) : ask;
    }

    /** Returns the rule id, as {@link RuleIds} would assign it, one for each limit. */
    private static int mark(Rule rule) {
        for (int i = 0; i < LIMITS.size(); i++) {
            boolean isChanged = CHANGED.get(i).rule() == rule;
            if (isChanged || LIMITS.get(i).rule() == rule) {
                long[] numbers = Objects.requireNonNull(rule.scriptNumbers());
                int number = isChanged ? LIMITS.size() + i : i;
                return numbers[0] != PackedRule.BUCKET || numbers[4] > 64
                        ? RuleIds.NONE
                        : numbers[4] == 1 ? 1_000 + number : 5_000 + 64 * number;
            }
        }
        throw new AssertionError(rule);
    }

    /** Returns the id of a rule and those of all others, in the format of {@code account.lua}. */
    private static String allMarks(Rule own) {
        StringBuilder text = new StringBuilder().append(mark(own));
        Stream.concat(LIMITS.stream(), CHANGED.stream())
                .map(Limit::rule)
                .filter(rule -> mark(rule) != RuleIds.NONE)
                .forEach(rule -> text.append('/')
                        .append(mark(rule))
                        .append(' ')
                        .append(LongStream.of(Objects.requireNonNull(rule.scriptNumbers()))
                                .skip(1)
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(" "))));
        return text.toString();
    }

    private byte[] run(PackedCall call, ManualClock clock) {
        byte[] now = Long.toString(clock.micros()).getBytes(StandardCharsets.US_ASCII);
        Script script = Objects.requireNonNull(scripts.get(call.target()));
        decided.merge(call.target(), 1, Integer::sum);
        return connection.sync().eval(script.text(), ScriptOutputType.VALUE, call.keys(), call.argument(), now);
    }

    private void plantForeignStates(Random random, int limits, long nowMicros) {
        for (int i = 0; i < limits; i++) {
            String key = names.state(charge(LIMITS.get(i), FOREIGN, 1, Enforcement.ENFORCED));
            redis.command("DEL", key);
            if (i == 0 && random.nextBoolean()) {
                redis.command("SET", key, nearlyInUse(nowMicros));
            } else {
                String[] state = FOREIGN_STATES.get(random.nextInt(FOREIGN_STATES.size()));
                redis.command(state[0], key, state[1]);
            }
        }
    }

    /**
     * Returns the first limit's state in the short form at a time soon after now, but with a character that is not a
     * digit: the one after 9.
     */
    private static String nearlyInUse(long nowMicros) {
        long sinceBase = nowMicros - 1_600_000_000_000_000L;
        String tens = Long.toString(sinceBase / 100 + 50);
        return String.format(Locale.ROOT, "1000%13s0:", tens).replace(' ', '0');
    }

    private static Ask randomAsk(Random random, int limits, List<Limit> from) {
        List<Charge> charges = new ArrayList<>();
        Set<String> accounts = new HashSet<>();
        int size = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
        while (charges.size() < size) {
            int number = random.nextInt(limits);
            Limit limit = from.get(number);
            String who = random.nextInt(40) == 0 ? FOREIGN : "k" + random.nextInt(KEYS);
            long cost = random.nextInt(30) == 0 ? random.nextInt(400) : random.nextInt(4);
            Enforcement enforcement = random.nextInt(5) == 0 ? Enforcement.SHADOW : Enforcement.ENFORCED;
            if (accounts.add(number + who)) {
                charges.add(charge(limit, who, cost, enforcement));
            } else {
                size--;
            }
        }
        Ask ask = Ask.of(charges);
        return random.nextInt(8) == 0 ? ask.peek() : ask;
    }

    private static Charge charge(Limit limit, String who, long cost, Enforcement enforcement) {
        return Charge.of(
                LimitSettings.of("policy", limit).enforcement(enforcement),
                Key.of("counter" + Math.max(LIMITS.indexOf(limit), CHANGED.indexOf(limit)), who),
                cost);
    }

    /** Compares answers in the order of the batch, which is the order in which they were decided. */
    private final class Comparison implements PackedCall.Listener {
        private final MemoryEngine memory;
        private final ManualClock clock;
        private final List<BatchedAsk> others = new ArrayList<>();

        Comparison(MemoryEngine memory, ManualClock clock) {
            this.memory = memory;
            this.clock = clock;
        }

        @Override
        public void answered(BatchedAsk asked, Decision decision) {
            assertThat(isForeign(asked.ask())).as("%s", asked.ask()).isFalse();
            compare(asked, decision);
        }

        private void compare(BatchedAsk asked, Decision decision) {
            Decision expected =
                    Objects.requireNonNull(memory.decide(asked.ask()).ifReady());
            assertThat(decision.isAllowed()).as("%s", asked.ask()).isEqualTo(expected.isAllowed());
            assertThat(decision.limits()).as("%s", asked.ask()).isEqualTo(expected.limits());
            assertThat(decision.madeAt()).isEqualTo(clock.now());
            for (int i = 0; i < asked.ask().size(); i++) {
                Duration matters = decision.limits().get(i).resetAfter();
                long lives = connection.sync().pttl(asked.key(i));
                assertThat(lives)
                        .as("life of %s", asked.key(i))
                        .isNotEqualTo(-1)
                        .satisfies(millis -> assertThat(millis == -2 ? Duration.ZERO : Duration.ofMillis(millis))
                                .isGreaterThanOrEqualTo(matters));
            }
        }

        @Override
        public void notAnswered(BatchedAsk asked, PackedCall.Outcome outcome) {
            if (isForeign(asked.ask())) {
                return;
            }
            assertThat(outcome).as("%s", asked.ask()).isEqualTo(PackedCall.Outcome.NEEDS_DECIDE);
            others.add(asked);
        }

        /** Decides the other asks by the script that the engine sends them to, after the batch. */
        void decideTheOthers() {
            for (BatchedAsk asked : others) {
                List<String> ids = asked.ask().charges().stream()
                        .map(charge -> allMarks(charge.limit().rule()))
                        .toList();
                DecideCall call = new DecideCall(asked.ask(), names, null, null, 60_000, ids);
                List<String> arguments = new ArrayList<>(call.arguments(clock.micros(), clock.micros()));
                arguments.add(Long.toString(clock.micros()));
                List<Object> reply = connection
                        .sync()
                        .eval(
                                decide.text(),
                                ScriptOutputType.MULTI,
                                call.keys().toArray(String[]::new),
                                arguments.stream()
                                        .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                                        .toArray(byte[][]::new));
                assertThat(DecideCall.missing(reply)).isNull();
                compare(asked, call.answer(reply).decision(asked.ask()));
            }
        }
    }

    private static boolean isForeign(Ask ask) {
        return ask.charges().stream().anyMatch(charge -> charge.key().values().contains(FOREIGN));
    }
}
