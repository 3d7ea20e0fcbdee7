package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.Clock;
import dev.penstock.spi.Scheduler;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs one script: by its digest, or by its text where Redis has forgotten it; again where the windows of a calendar
 * that were sent do not reach as far as the store has to look; and some times more while some of its keys are here and
 * some there, because a Cluster moves their slot. In all of these cases nothing has been changed before. Thread-safe.
 */
final class ScriptRunner {
    /** Arguments that tell calendar windows from one time to another. */
    interface Arguments {
        List<String> around(long fromMicros, long toMicros);
    }

    /** The time of which windows are sent. */
    private record Span(long fromMicros, long toMicros) {
        Span with(long micros) {
            return new Span(Math.min(fromMicros, micros), Math.max(toMicros, micros));
        }
    }

    /** Whose clock the script goes by. */
    enum Time {
        OF_THE_STORE,
        /** Sent as the last argument. */
        GIVEN
    }

    private static final String BETWEEN_NODES = "TRYAGAIN";
    private static final int TRIES_BETWEEN_NODES = 5;
    private static final DelayedCall BETWEEN_TRIES = new DelayedCall(Scheduler.system(), Duration.ofMillis(2));

    private static final Pattern GRID = Pattern.compile("PENSTOCK GRID (\\d+)");

    private final Script script;
    private final Supplier<? extends RedisScriptingAsyncCommands<String, byte[]>> commands;
    private final Consumer<Throwable> failures;
    private final TripReports trips;
    private final Clock clock;
    private final Time time;

    /** @param failures is told how commands failed, but for those that are sent again at once */
    ScriptRunner(
            Script script,
            Supplier<? extends RedisScriptingAsyncCommands<String, byte[]>> commands,
            Consumer<Throwable> failures,
            TripReports trips,
            Clock clock,
            Time time) {
        this.script = script;
        this.commands = commands;
        this.failures = failures;
        this.trips = trips;
        this.clock = clock;
        this.time = time;
    }

    /** The same by other commands: on one connection, where what follows has to come after it. */
    ScriptRunner by(RedisScriptingAsyncCommands<String, byte[]> others) {
        return new ScriptRunner(script, () -> others, failures, trips, clock, time);
    }

    /** With one argument of bytes, in which there are no calendars, and one answer of bytes. */
    CompletionStage<byte[]> run(String[] keys, byte[] argument) {
        byte[][] arguments = time == Time.GIVEN
                ? new byte[][] {argument, bytes(Long.toString(clock.micros()))}
                : new byte[][] {argument};
        return evaluate(ScriptOutputType.VALUE, keys, arguments);
    }

    CompletionStage<List<Object>> run(List<String> keys, Arguments arguments) {
        long now = clock.micros();
        return run(keys.toArray(String[]::new), arguments, now, new Span(now, now), keys.size());
    }

    /** @param triesLeft each account may have to be looked for in another time */
    private CompletionStage<List<Object>> run(String[] keys, Arguments arguments, long now, Span span, int triesLeft) {
        byte[][] sent = complete(arguments.around(span.fromMicros, span.toMicros), now);
        return evaluate(keys, sent).exceptionallyCompose(failure -> {
            Matcher grid = GRID.matcher(String.valueOf(cause(failure).getMessage()));
            if (triesLeft == 0 || !grid.find()) {
                return CompletableFuture.failedStage(failure);
            }
            Span wider = span.with(Long.parseLong(grid.group(1))).with(clock.micros());
            return run(keys, arguments, now, wider, triesLeft - 1);
        });
    }

    private byte[][] complete(List<String> arguments, long now) {
        List<byte[]> all = new ArrayList<>(arguments.size() + 1);
        for (String argument : arguments) {
            all.add(bytes(argument));
        }
        if (time == Time.GIVEN) {
            all.add(bytes(Long.toString(now)));
        }
        return all.toArray(byte[][]::new);
    }

    private CompletionStage<List<Object>> evaluate(String[] keys, byte[][] arguments) {
        return evaluate(ScriptOutputType.MULTI, keys, arguments);
    }

    private <T> CompletionStage<T> evaluate(ScriptOutputType type, String[] keys, byte[][] arguments) {
        return evaluate(type, keys, arguments, TRIES_BETWEEN_NODES);
    }

    /** Fails by its stage, also where there is no connection yet. */
    private <T> CompletionStage<T> evaluate(ScriptOutputType type, String[] keys, byte[][] arguments, int triesLeft) {
        String first = keys.length == 0 ? "" : keys[0];
        CompletionStage<T> known;
        try {
            known = trips.watch(first, () -> commands.get().evalsha(script.sha(), type, keys, arguments));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
        return known.exceptionallyCompose(failure -> {
            if (cause(failure) instanceof RedisNoScriptException) {
                CompletionStage<T> unknown =
                        trips.watch(first, () -> commands.get().eval(script.text(), type, keys, arguments));
                return unknown.exceptionallyCompose(other -> later(other, type, keys, arguments, triesLeft));
            }
            return later(failure, type, keys, arguments, triesLeft);
        });
    }

    /** Once more after a pause, if the keys were between two nodes. */
    private <T> CompletionStage<T> later(
            Throwable failure, ScriptOutputType type, String[] keys, byte[][] arguments, int triesLeft) {
        failures.accept(failure);
        if (triesLeft == 0 || !String.valueOf(cause(failure).getMessage()).startsWith(BETWEEN_NODES)) {
            return KeyErrors.failed(failure, keys);
        }
        return BETWEEN_TRIES.then(() -> evaluate(type, keys, arguments, triesLeft - 1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
