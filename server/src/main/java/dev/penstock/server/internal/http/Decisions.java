package dev.penstock.server.internal.http;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.spi.IdempotencyKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/**
 * Decides a list of requests under one key. For one use.
 *
 * <p>Each request is decided under its own id, so a repeated call gets the earlier answer to each request. As soon as
 * one request is charged, the key belongs to this call: the id of the whole call is taken, which charges nothing. If
 * the key belongs to another call, nothing of this one is charged. A list whose requests are all denied charges nothing
 * and leaves the key free.
 *
 * <p>The first request is decided alone. The others are decided in portions, and those of a portion concurrently. So if
 * two different calls use one key at the same time, the loser has at most one portion charged.
 */
final class Decisions {
    /** Makes the single decisions. */
    interface Decider {
        /** Decides a request under an id. */
        CompletionStage<Decision> decide(RequestBody request, IdempotencyKey id);

        /** Returns true if the id may be taken, by this call or by another one. Changes nothing. */
        CompletionStage<Boolean> mayBeTaken(IdempotencyKey id);

        /** Takes an id, or is denied because another call has it. Charges nothing. */
        CompletionStage<Decision> take(IdempotencyKey id);
    }

    /** Large enough to use a store well, and small enough to let other calls in between. */
    private static final int PORTION = 50;

    private final List<RequestBody> requests;
    private final IdempotencyKeyHeader key;
    private final Decider decider;
    private final List<Decision> made = new ArrayList<>();
    private boolean isKeyTaken;

    Decisions(List<RequestBody> requests, IdempotencyKeyHeader key, Decider decider) {
        this.requests = requests;
        this.key = key;
        this.decider = decider;
    }

    /**
     * Decides all requests and returns the decisions in order. If another call has the key, returns only the decision
     * that says so.
     */
    CompletionStage<List<Decision>> all() {
        return decider.mayBeTaken(key.whole()).thenCompose(may -> may ? takeKey() : next());
    }

    private CompletionStage<List<Decision>> takeKey() {
        return decider.take(key.whole()).thenCompose(decision -> {
            if (Answers.isOfAnotherCall(decision)) {
                return CompletableFuture.completedStage(List.of(decision));
            }
            isKeyTaken = decision.decidedBy() != DecidedBy.NODE; // an overloaded node takes no id
            return next();
        });
    }

    /** Decides the next portion and all that follow. */
    private CompletionStage<List<Decision>> next() {
        int from = made.size();
        if (from == requests.size()) {
            return CompletableFuture.completedStage(made);
        }
        int count = Math.min(requests.size() - from, from == 0 ? 1 : PORTION);
        return portion(from, count, i -> decider.decide(requests.get(i), key.item(i)))
                .thenCompose(portion -> {
                    made.addAll(portion);
                    return !isKeyTaken && isAnyCharged(from) ? takeKey() : next();
                });
    }

    private boolean isAnyCharged(int from) {
        for (int i = from; i < made.size(); i++) {
            Decision decision = made.get(i);
            if (decision.isAllowed()
                    && !decision.charges().isEmpty()
                    && !requests.get(i).peek()) {
                return true;
            }
        }
        return false;
    }

    /** Makes that many decisions, one portion at a time, because all at once would crowd out other requests. */
    static CompletionStage<List<Decision>> inPortions(int count, IntFunction<CompletionStage<Decision>> decider) {
        return inPortions(new ArrayList<>(), count, decider);
    }

    private static CompletionStage<List<Decision>> inPortions(
            List<Decision> made, int count, IntFunction<CompletionStage<Decision>> decider) {
        if (made.size() == count) {
            return CompletableFuture.completedStage(made);
        }
        return portion(made.size(), Math.min(PORTION, count - made.size()), decider)
                .thenCompose(portion -> {
                    made.addAll(portion);
                    return inPortions(made, count, decider);
                });
    }

    private static CompletionStage<List<Decision>> portion(
            int from, int count, IntFunction<CompletionStage<Decision>> decider) {
        List<CompletableFuture<Decision>> portion = new ArrayList<>(count);
        for (int i = from; i < from + count; i++) {
            portion.add(decider.apply(i).toCompletableFuture());
        }
        return CompletableFuture.allOf(portion.toArray(CompletableFuture[]::new))
                .thenApply(done -> portion.stream().map(CompletableFuture::join).toList());
    }
}
