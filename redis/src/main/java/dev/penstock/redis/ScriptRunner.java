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

/**
 * Runs one script: by its digest, or by its text if Redis does not know the digest. Repeats it a few times while a
 * Cluster moves the slot of its keys and each node has some of them. In both cases, the earlier attempt has changed
 * nothing. Thread-safe.
 */
final class ScriptRunner {
    /** The source of the script's time. */
    enum Time {
        OF_THE_STORE,
        /** For tests: the time is sent as the last argument. */
        GIVEN
    }

    private static final int TRIES_WHILE_MOVING = 5;
    private static final DelayedCall BETWEEN_TRIES = new DelayedCall(Scheduler.system(), Duration.ofMillis(2));

    private final Script script;
    private final Supplier<? extends RedisScriptingAsyncCommands<String, byte[]>> commands;
    private final Consumer<Throwable> failures;
    private final TripReports trips;
    private final Clock clock;
    private final Time time;

    /** @param failures receives the failures of commands, except those that are repeated at once */
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

    /** Returns the same script on one connection, if a later command must follow it there. */
    ScriptRunner by(RedisScriptingAsyncCommands<String, byte[]> others) {
        return new ScriptRunner(script, () -> others, failures, trips, clock, time);
    }

    /** Runs a script whose argument and reply are bytes. */
    CompletionStage<byte[]> run(String[] keys, byte[] argument) {
        byte[][] arguments = time == Time.GIVEN
                ? new byte[][] {argument, bytes(Long.toString(clock.micros()))}
                : new byte[][] {argument};
        return evaluate(ScriptOutputType.VALUE, keys, arguments, TRIES_WHILE_MOVING);
    }

    /** Runs a script whose arguments are texts and whose reply is a list. */
    CompletionStage<List<Object>> run(List<String> keys, List<String> arguments) {
        List<byte[]> sent = new ArrayList<>(arguments.size() + 1);
        for (String argument : arguments) {
            sent.add(bytes(argument));
        }
        if (time == Time.GIVEN) {
            sent.add(bytes(Long.toString(clock.micros())));
        }
        return evaluate(
                ScriptOutputType.MULTI, keys.toArray(String[]::new), sent.toArray(byte[][]::new), TRIES_WHILE_MOVING);
    }

    /** Evaluates the script. Every failure is reported through the stage, even if there is no connection yet. */
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
                return unknown.exceptionallyCompose(other -> failed(other, type, keys, arguments, triesLeft));
            }
            return failed(failure, type, keys, arguments, triesLeft);
        });
    }

    /** Repeats the script after a pause if its slot was being moved. */
    private <T> CompletionStage<T> failed(
            Throwable failure, ScriptOutputType type, String[] keys, byte[][] arguments, int triesLeft) {
        failures.accept(failure);
        if (triesLeft == 0
                || !KeyErrors.isBetweenNodes(String.valueOf(cause(failure).getMessage()))) {
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
