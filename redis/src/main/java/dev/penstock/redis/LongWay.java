package dev.penstock.redis;

import dev.penstock.Ask;
import dev.penstock.Charge;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks {@code decide.lua}; and again with what marks stand for, where it meets states in short that were written under
 * numbers which it was not told. Thread-safe.
 */
final class LongWay {
    private static final Pattern UNKNOWN_MARKS = Pattern.compile("PENSTOCK MARKS ([\\d: ]+)");

    /** After that many times somebody writes faster under other numbers than they can be looked up. */
    private static final int TRIES = 8;

    private final ScriptRunner decide;
    private final Marks marks;

    LongWay(ScriptRunner decide, Marks marks) {
        this.decide = decide;
        this.marks = marks;
    }

    /** The same by other commands. */
    LongWay by(RedisScriptingAsyncCommands<String, byte[]> commands) {
        return new LongWay(decide.by(commands), marks);
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

    CompletionStage<Seen> ask(DecideCall call) {
        return ask(call, TRIES);
    }

    private CompletionStage<Seen> ask(DecideCall call, int triesLeft) {
        return decide.run(call.keys(), call::arguments).thenApply(call::seen).exceptionallyCompose(failure -> {
            Matcher unknown = UNKNOWN_MARKS.matcher(
                    String.valueOf(ScriptRunner.cause(failure).getMessage()));
            return unknown.find() && triesLeft > 0
                    ? learn(call, unknown.group(1)).thenCompose(known -> ask(call.knowing(known), triesLeft - 1))
                    : CompletableFuture.failedStage(failure);
        });
    }

    /** @param unknown charges, from 1, and the marks in their states: {@code 1:1234 3:5064} */
    private CompletionStage<List<String>> learn(DecideCall call, String unknown) {
        CompletionStage<List<String>> all = CompletableFuture.completedStage(new ArrayList<>(call.marks()));
        for (String each : unknown.trim().split(" ", -1)) {
            int colon = each.indexOf(':');
            int i = Integer.parseInt(each.substring(0, colon)) - 1;
            int mark = Integer.parseInt(each.substring(colon + 1));
            CompletionStage<String> meaning = marks.meaning(call.counter(i), mark);
            all = all.thenCombine(meaning, (marksSoFar, words) -> {
                marksSoFar.set(i, marksSoFar.get(i) + "/" + mark + " " + words);
                return marksSoFar;
            });
        }
        return all;
    }
}
