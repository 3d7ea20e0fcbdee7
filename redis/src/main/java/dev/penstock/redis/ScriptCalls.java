package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls {@code decide.lua} and {@code permit.lua}. In the rare case that a script reports missing input, this class
 * looks it up and repeats the call. Missing input is either the numbers of rule ids that another node wrote, or earlier
 * windows of a calendar. Thread-safe.
 */
final class ScriptCalls {
    /**
     * Maximum number of lookups. If more are needed, other nodes write new rule ids faster than they can be looked up.
     */
    private static final int TRIES = 8;

    private final ScriptRunner decide;
    private final ScriptRunner permit;
    private final RuleIds ruleIds;
    private final Clock clock;

    /** @param clock roughly the store's clock, used to send the calendar windows around the current time */
    ScriptCalls(ScriptRunner decide, ScriptRunner permit, RuleIds ruleIds, Clock clock) {
        this.decide = decide;
        this.permit = permit;
        this.ruleIds = ruleIds;
        this.clock = clock;
    }

    /** Returns the same calls on one connection, if a later command must follow them there. */
    ScriptCalls by(RedisScriptingAsyncCommands<String, byte[]> commands) {
        return new ScriptCalls(decide.by(commands), permit.by(commands), ruleIds, clock);
    }

    /** The time for which calendar windows are sent. */
    private record Span(long fromMicros, long toMicros) {
        Span with(long micros) {
            return new Span(Math.min(fromMicros, micros), Math.max(toMicros, micros));
        }
    }

    /** Returns the ids of the ask's own rules, which the first call includes. */
    List<String> ownRuleIds(Ask ask) {
        List<String> own = new ArrayList<>(ask.size());
        for (Charge charge : ask.charges()) {
            own.add(Integer.toString(
                    ruleIds.of(charge.key().counter(), charge.limit().rule())));
        }
        return own;
    }

    CompletionStage<StoreAnswer> decide(DecideCall call) {
        return decide(call, new Tries(call.keys().size()));
    }

    private CompletionStage<StoreAnswer> decide(DecideCall call, Tries tries) {
        return decide.run(call.keys(), call.arguments(tries.span.fromMicros, tries.span.toMicros))
                .thenCompose(reply -> {
                    MissingInput missing = DecideCall.missing(reply);
                    return missing == null
                            ? CompletableFuture.completedStage(call.answer(reply))
                            : tries.again(
                                    missing,
                                    ids -> learn(call.ruleIds(), ids, (i, id) -> ruleIds.meaning(call.counter(i), id)),
                                    known -> decide(known == null ? call : call.knowing(known), tries));
                });
    }

    CompletionStage<Settlement> end(PermitCall call) {
        return end(call, new Tries(call.keys().size()));
    }

    private CompletionStage<Settlement> end(PermitCall call, Tries tries) {
        return permit.run(call.keys(), call.arguments(tries.span.fromMicros, tries.span.toMicros))
                .thenCompose(reply -> {
                    MissingInput missing = PermitCall.missing(reply);
                    return missing == null
                            ? CompletableFuture.completedStage(PermitCall.settlement(reply))
                            : tries.again(
                                    missing,
                                    ids -> learn(call.ruleIds(), ids, (i, id) -> ruleIds.meaningIn(call.state(i), id)),
                                    known -> end(known == null ? call : call.knowing(known), tries));
                });
    }

    /** The remaining attempts of one call, and the time for which it sends windows. Used by one call at a time. */
    private final class Tries {
        private int ruleIdsLeft = TRIES;
        private int boundariesLeft;
        private Span span;

        /** @param accounts the number of attempts to send more windows; each account may need one */
        Tries(int accounts) {
            boundariesLeft = accounts;
            long now = clock.micros();
            span = new Span(now, now);
        }

        /**
         * Looks up the missing input, then repeats the call.
         *
         * @param lookUp returns all known rule ids
         * @param call takes the known rule ids, or null if they are unchanged
         */
        <T> CompletionStage<T> again(
                MissingInput missing,
                Function<String, CompletionStage<List<String>>> lookUp,
                Function<@Nullable List<String>, CompletionStage<T>> call) {
            if (missing instanceof MissingInput.RuleNumbers numbers && ruleIdsLeft-- > 0) {
                return lookUp.apply(numbers.ids()).thenCompose(call);
            } else if (missing instanceof MissingInput.Boundaries boundaries && boundariesLeft-- > 0) {
                span = span.with(boundaries.reachMicros()).with(clock.micros());
                return call.apply(null);
            }
            return CompletableFuture.failedStage(
                    new IllegalStateException("a script still lacks " + missing + " after several attempts"));
        }
    }

    /** @param missing as in {@link MissingInput.RuleNumbers} */
    private static CompletionStage<List<String>> learn(
            List<String> known, String missing, BiFunction<Integer, Integer, CompletionStage<String>> meanings) {
        CompletionStage<List<String>> all = CompletableFuture.completedStage(new ArrayList<>(known));
        for (String each : missing.split(" ", -1)) {
            int colon = each.indexOf(':');
            int i = Integer.parseInt(each.substring(0, colon)) - 1;
            int id = Integer.parseInt(each.substring(colon + 1));
            CompletionStage<String> meaning = meanings.apply(i, id);
            all = all.thenCombine(meaning, (idsSoFar, words) -> {
                idsSoFar.set(i, idsSoFar.get(i) + "/" + id + " " + words);
                return idsSoFar;
            });
        }
        return all;
    }
}
