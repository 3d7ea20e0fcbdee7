package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.Clock;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs one script: by its digest, or by its text where Redis has forgotten it; and once more where the windows of a
 * calendar that were sent do not reach as far as the store has to look. Neither has changed anything before. Thread-safe.
 */
final class ScriptRunner {
    /** Arguments that tell calendar windows from one time to another. */
    interface Arguments {
        List<String> around(long fromMicros, long toMicros);
    }

    /** Whose clock the script goes by. */
    enum Time {
        OF_THE_STORE,
        /** Sent as the last argument. */
        GIVEN
    }

    private static final Pattern GRID = Pattern.compile("PENSTOCK GRID (\\d+)");

    private final Script script;
    private final Supplier<? extends RedisScriptingAsyncCommands<String, byte[]>> commands;
    private final Clock clock;
    private final Time time;

    ScriptRunner(
            Script script,
            Supplier<? extends RedisScriptingAsyncCommands<String, byte[]>> commands,
            Clock clock,
            Time time) {
        this.script = script;
        this.commands = commands;
        this.clock = clock;
        this.time = time;
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
        String[] names = keys.toArray(String[]::new);
        CompletionStage<List<Object>> first = evaluate(names, complete(arguments.around(now, now), now));
        return first.exceptionallyCompose(failure -> {
            Matcher grid = GRID.matcher(String.valueOf(cause(failure).getMessage()));
            if (!grid.find()) {
                return CompletableFuture.failedStage(failure);
            }
            long wanted = Long.parseLong(grid.group(1));
            long later = clock.micros();
            List<String> wider = arguments.around(Math.min(wanted, later), Math.max(wanted, later));
            return evaluate(names, complete(wider, now));
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

    /** Fails by its stage, also where there is no connection yet. */
    private <T> CompletionStage<T> evaluate(ScriptOutputType type, String[] keys, byte[][] arguments) {
        CompletionStage<T> known;
        try {
            known = commands.get().evalsha(script.sha(), type, keys, arguments);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
        return known.exceptionallyCompose(failure -> cause(failure) instanceof RedisNoScriptException
                ? commands.get()
                        .<T>eval(script.text(), type, keys, arguments)
                        .exceptionallyCompose(again -> Refusal.failed(again, keys))
                : Refusal.failed(failure, keys));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
