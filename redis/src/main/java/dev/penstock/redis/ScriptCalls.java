package dev.penstock.redis;

import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks {@code decide.lua} and {@code permit.lua}; and again with what marks stand for, where they meet states in short that
 * were written under numbers which they were not told. Thread-safe.
 */
final class ScriptCalls {
    private static final Pattern UNKNOWN_MARKS = Pattern.compile("PENSTOCK MARKS ([\\d: ]+)");

    /** After that many times somebody writes faster under other numbers than they can be looked up. */
    private static final int TRIES = 8;

    private final ScriptRunner decide;
    private final ScriptRunner permit;
    private final RuleIds marks;

    ScriptCalls(ScriptRunner decide, ScriptRunner permit, RuleIds marks) {
        this.decide = decide;
        this.permit = permit;
        this.marks = marks;
    }

    /** The same by other commands. */
    ScriptCalls by(RedisScriptingAsyncCommands<String, byte[]> commands) {
        return new ScriptCalls(decide.by(commands), permit.by(commands), marks);
    }

    /** The rules' own marks, as a call is first made with. */
    List<String> ownMarks(Ask ask) {
        List<String> own = new ArrayList<>(ask.size());
        for (Charge charge : ask.charges()) {
            own.add(Integer.toString(
                    marks.of(charge.key().counter(), charge.limit().rule())));
        }
        return own;
    }

    CompletionStage<StoreAnswer> ask(DecideCall call) {
        return ask(call, TRIES);
    }

    private CompletionStage<StoreAnswer> ask(DecideCall call, int triesLeft) {
        return decide.run(call.keys(), call::arguments).thenApply(call::seen).exceptionallyCompose(failure -> {
            String unknown = triesLeft == 0 ? null : unknownMarks(failure);
            return unknown == null
                    ? CompletableFuture.failedStage(failure)
                    : learn(call.marks(), unknown, (i, mark) -> marks.meaning(call.counter(i), mark))
                            .thenCompose(known -> ask(call.knowing(known), triesLeft - 1));
        });
    }

    CompletionStage<Settlement> end(PermitCall call) {
        return end(call, TRIES);
    }

    private CompletionStage<Settlement> end(PermitCall call, int triesLeft) {
        return permit.run(call.keys(), call::arguments)
                .thenApply(PermitCall::settlement)
                .exceptionallyCompose(failure -> {
                    String unknown = triesLeft == 0 ? null : unknownMarks(failure);
                    return unknown == null
                            ? CompletableFuture.failedStage(failure)
                            : learn(call.marks(), unknown, (i, mark) -> marks.meaningIn(call.state(i), mark))
                                    .thenCompose(known -> end(call.knowing(known), triesLeft - 1));
                });
    }

    /** The marks that a script was not told of; null where it failed for another reason. */
    private static @Nullable String unknownMarks(Throwable failure) {
        Matcher unknown =
                UNKNOWN_MARKS.matcher(String.valueOf(ScriptRunner.cause(failure).getMessage()));
        return unknown.find() ? unknown.group(1) : null;
    }

    /** @param unknown charges, from 1, and the marks in their states: {@code 1:1234 3:5064} */
    private static CompletionStage<List<String>> learn(
            List<String> known, String unknown, BiFunction<Integer, Integer, CompletionStage<String>> meanings) {
        CompletionStage<List<String>> all = CompletableFuture.completedStage(new ArrayList<>(known));
        for (String each : unknown.trim().split(" ", -1)) {
            int colon = each.indexOf(':');
            int i = Integer.parseInt(each.substring(0, colon)) - 1;
            int mark = Integer.parseInt(each.substring(colon + 1));
            CompletionStage<String> meaning = meanings.apply(i, mark);
            all = all.thenCombine(meaning, (marksSoFar, words) -> {
                marksSoFar.set(i, marksSoFar.get(i) + "/" + mark + " " + words);
                return marksSoFar;
            });
        }
        return all;
    }
}
