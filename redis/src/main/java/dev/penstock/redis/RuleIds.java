package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.Clock;
import dev.penstock.algorithm.Rule;
import dev.penstock.internal.Expect;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Rule ids: four-digit numbers that represent the numbers of a token bucket in states of the short form (see {@code
 * state_format.lua}). Redis stores the meaning of each id per counter. Any node can read it, and it is kept longer than
 * any state with that id.
 *
 * <p>An id is used only after Redis has confirmed that it stores the meaning. Until then, or if all suitable ids
 * represent other numbers, states are written in the full form. Thread-safe. No call blocks.
 */
final class RuleIds {
    /** There is no id, or it is not confirmed yet. */
    static final int NONE = 0;

    private static final int FIRST_WITHOUT_REST = 1_000;
    private static final int FIRST_WITH_REST = 5_000;

    /** All ids are below this. A larger id would make the state exceed the eight bytes of an integer. */
    private static final int END = 9_000;

    private static final int REST_BELOW = 64;
    private static final int TRIES = 4;
    private static final int MOST_KNOWN = 100_000;
    private static final int MOST_RULES = 10_000;
    private static final long DAY_MICROS = 86_400_000_000L;

    /**
     * How often Redis is asked whether it still stores an id. Redis may have been emptied, and states written since
     * then need the id.
     */
    private static final long ASK_EVERY_MICROS = 10_000_000;

    /** How often Redis is asked again if all suitable ids were taken. They are stored for at least a day. */
    private static final long LOOK_FOR_ROOM_EVERY_MICROS = 3_600_000_000L;

    /** An id that is being registered or is in use. */
    private static final class Entry {
        /** Represents all rules that have no id. */
        private static final Entry WITHOUT_ID = new Entry();

        private volatile int ruleId = NONE;
        private volatile long askAfterMicros = Long.MIN_VALUE;
        private volatile long goodFromMicros;
        private volatile long goodUntilMicros;
    }

    /** A rule in the states of one counter. Policies that are read again have other rules, even if nothing changed. */
    private record CountedRule(String counter, Rule rule) {}

    private final KeyNames names;
    private final Supplier<RedisClusterAsyncCommands<String, byte[]>> commands;
    private final Clock clock;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    /** The entry of each rule that was used lately. Cleared when it is full. */
    private final Map<CountedRule, Entry> byRule = new ConcurrentHashMap<>();

    /** The meanings of this process's own ids, by their keys in Redis. There are as many as entries. */
    private final Map<String, String> own = new ConcurrentHashMap<>();

    RuleIds(KeyNames names, Supplier<RedisClusterAsyncCommands<String, byte[]>> commands, Clock clock) {
        this.names = names;
        this.commands = commands;
        this.clock = clock;
    }

    /**
     * Returns the id of the rule in the states of the counter, or {@link #NONE} if there is no valid id yet. Registers
     * a missing id, and renews an old one.
     */
    int of(String counter, Rule rule) {
        Entry entry = entryOf(new CountedRule(counter, rule));
        if (entry == Entry.WITHOUT_ID) {
            return NONE;
        }
        long now = clock.micros();
        if (now > entry.askAfterMicros || now < entry.goodFromMicros) {
            ask(entry, counter, rule, now);
        }
        return now >= entry.goodFromMicros && now < entry.goodUntilMicros ? entry.ruleId : NONE;
    }

    private Entry entryOf(CountedRule counted) {
        Entry known = byRule.get(counted);
        if (known != null) {
            return known;
        }
        long[] numbers = counted.rule.scriptNumbers();
        Entry entry = Entry.WITHOUT_ID;
        if (numbers != null && numbers[0] == PackedRule.BUCKET && numbers[4] <= REST_BELOW) {
            String name = counted.counter + "\n" + text(numbers);
            entry = entries.size() < MOST_KNOWN
                    ? entries.computeIfAbsent(name, fresh -> new Entry())
                    : entries.getOrDefault(name, Entry.WITHOUT_ID);
        }
        if (byRule.size() >= MOST_RULES) {
            byRule.clear();
        }
        byRule.put(counted, entry);
        return entry;
    }

    /** Returns how long an id is stored: a day longer than twice the time for which a state can matter. */
    private static long keptMicros(long[] numbers) {
        return 2 * (numbers[6] / numbers[4] * numbers[1]) + DAY_MICROS;
    }

    private void ask(Entry entry, String counter, Rule rule, long now) {
        entry.askAfterMicros = now + ASK_EVERY_MICROS;
        long[] numbers = Expect.present(rule.scriptNumbers(), "numbers");
        String text = text(numbers);
        CompletableFuture<Integer> unused = register(counter, text, numbers, 0).whenComplete((ruleId, failure) -> {
            if (ruleId != null) {
                long kept = keptMicros(numbers);
                entry.ruleId = ruleId;
                entry.goodFromMicros = now;
                entry.goodUntilMicros = now + kept / 2;
                if (ruleId == NONE) {
                    entry.askAfterMicros = now + LOOK_FOR_ROOM_EVERY_MICROS;
                } else {
                    own.put(names.numbers(counter, ruleId), text);
                }
            }
        });
    }

    /** Stores the numbers under the first id that is free or already has these numbers. */
    private CompletableFuture<Integer> register(String counter, String text, long[] numbers, int tried) {
        if (tried == TRIES) {
            return CompletableFuture.completedFuture(NONE);
        }
        int ruleId = candidate(text, numbers[4], tried);
        return keep(names.numbers(counter, ruleId), text, keptMicros(numbers) / 1_000)
                .thenCompose(kept ->
                        kept ? CompletableFuture.completedFuture(ruleId) : register(counter, text, numbers, tried + 1))
                .toCompletableFuture();
    }

    /** Stores a text under a key. Returns false if the key has another text. */
    private CompletionStage<Boolean> keep(String key, String text, long millis) {
        byte[] bytes = text.getBytes(US_ASCII);
        try {
            return commands.get()
                    .setGet(key, bytes, SetArgs.Builder.nx().px(millis))
                    .thenCompose(before -> before != null && Arrays.equals(before, bytes)
                            ? commands.get().pexpire(key, millis)
                            : CompletableFuture.completedStage(before == null));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static int candidate(String text, long n, int tried) {
        int number = text.hashCode() + tried;
        return n == 1
                ? FIRST_WITHOUT_REST + Math.floorMod(number, FIRST_WITH_REST - FIRST_WITHOUT_REST)
                : FIRST_WITH_REST + REST_BELOW * Math.floorMod(number, (END - FIRST_WITH_REST) / REST_BELOW);
    }

    /** Returns the numbers that an id represents in the states of a counter, as text. Empty if they are unknown. */
    CompletionStage<String> meaning(String counter, int ruleId) {
        return meaningAt(names.numbers(counter, ruleId));
    }

    /** Returns the numbers that an id represents in the state with this key. */
    CompletionStage<String> meaningIn(String state, int ruleId) {
        return meaningAt(names.numbersOf(state, ruleId));
    }

    private CompletionStage<String> meaningAt(String key) {
        try {
            return commands.get()
                    .get(key)
                    .thenApply(kept -> kept == null ? own.getOrDefault(key, "") : new String(kept, US_ASCII));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Returns the numbers as text: tick, capacity, debt, n, p and ceiling. */
    private static String text(long[] numbers) {
        return LongStream.of(numbers).skip(1).mapToObj(Long::toString).collect(Collectors.joining(" "));
    }
}
