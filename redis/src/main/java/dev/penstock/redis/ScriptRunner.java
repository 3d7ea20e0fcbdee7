package dev.penstock.redis;

import dev.penstock.Clock;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
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
    private final RedisScriptingAsyncCommands<String, String> commands;
    private final Clock clock;
    private final Time time;

    ScriptRunner(Script script, RedisScriptingAsyncCommands<String, String> commands, Clock clock, Time time) {
        this.script = script;
        this.commands = commands;
        this.clock = clock;
        this.time = time;
    }

    CompletionStage<List<Object>> run(List<String> keys, Arguments arguments) {
        long now = clock.micros();
        return evaluate(keys, complete(arguments.around(now, now), now)).exceptionallyCompose(failure -> {
            Matcher grid = GRID.matcher(String.valueOf(cause(failure).getMessage()));
            if (!grid.find()) {
                return CompletableFuture.failedStage(failure);
            }
            long wanted = Long.parseLong(grid.group(1));
            long later = clock.micros();
            List<String> wider = arguments.around(Math.min(wanted, later), Math.max(wanted, later));
            return evaluate(keys, complete(wider, now));
        });
    }

    private List<String> complete(List<String> arguments, long now) {
        if (time == Time.OF_THE_STORE) {
            return arguments;
        }
        List<String> all = new ArrayList<>(arguments);
        all.add(Long.toString(now));
        return all;
    }

    private CompletionStage<List<Object>> evaluate(List<String> keys, List<String> arguments) {
        String[] keyArray = keys.toArray(String[]::new);
        String[] argumentArray = arguments.toArray(String[]::new);
        CompletionStage<List<Object>> known =
                commands.evalsha(script.sha(), ScriptOutputType.MULTI, keyArray, argumentArray);
        return known.exceptionallyCompose(failure -> cause(failure) instanceof RedisNoScriptException
                ? commands.eval(script.text(), ScriptOutputType.MULTI, keyArray, argumentArray)
                : CompletableFuture.failedStage(failure));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
