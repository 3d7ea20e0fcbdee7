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
 * The decisions of a list of requests, under one key. For one use.
 *
 * <p>Each request is decided under an id of its own, so a second call is answered request by request. The key belongs to the
 * call as soon as one request was charged: then the id of the whole is taken, which charges nothing. If the key is another
 * call's, nothing of this one is charged. A list that is denied altogether charged nothing and leaves the key free.
 *
 * <p>The first request is decided alone, and the rest in portions, each at the same time. So of two different calls that meet
 * under one key at the same moment, the one that loses has at most one portion charged.
 */
final class Decisions {
    /** What the decisions are made with. */
    interface Decider {
        /** Decides a request under an id. */
        CompletionStage<Decision> decide(RequestBody request, IdempotencyKey id);

        /** Whether the id may be taken, by this call or by another; changes nothing. */
        CompletionStage<Boolean> mayBeTaken(IdempotencyKey id);

        /** Takes an id, or is denied because it is another call's; charges nothing. */
        CompletionStage<Decision> take(IdempotencyKey id);
    }

    /** So many that a store is well used, and so few that others come between. */
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

    /** All of them, in the order of the requests; or only the one that says that the key is another call's. */
    CompletionStage<List<Decision>> all() {
        return decider.mayBeTaken(key.whole()).thenCompose(may -> may ? takeKey() : next());
    }

    private CompletionStage<List<Decision>> takeKey() {
        return decider.take(key.whole()).thenCompose(decision -> {
            if (Answers.isOfAnotherCall(decision)) {
                return CompletableFuture.completedStage(List.of(decision));
            }
            isKeyTaken = decision.decidedBy() != DecidedBy.NODE; // an overloaded node keeps nothing
            return next();
        });
    }

    /** Decides the next portion, and all that follow. */
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

    /** Decides that many requests, a portion at the same time: all at once would crowd out others. */
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
