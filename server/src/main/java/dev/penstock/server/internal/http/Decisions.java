package dev.penstock.server.internal.http;

import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a call, of one request or a list of them, under one key. For one use.
 *
 * <p>The first that is charged to something takes the key for all, so those up to it are decided one after the other; where
 * the key is another call's, nothing of this one is charged. The rest are decided in portions, each at the same time.
 */
final class Decisions {
    /** Decides a request under an id. */
    interface Decider {
        CompletionStage<Decision> decide(RequestBody request, RequestId id);
    }

    /** So many that a store is well used, and so few that others come between. */
    private static final int PORTION = 50;

    private final List<RequestBody> requests;
    private final IdempotencyKey key;
    private final Decider decider;
    private final List<Decision> made = new ArrayList<>();

    Decisions(List<RequestBody> requests, IdempotencyKey key, Decider decider) {
        this.requests = requests;
        this.key = key;
        this.decider = decider;
    }

    /** All of them, in the order of the requests; or the last says that the key is another call's. */
    CompletionStage<List<Decision>> inTurn() {
        while (made.size()
                < requests.size()) { // a loop, since a long list that is decided at once would fill the stack
            RequestBody request = requests.get(made.size());
            CompletableFuture<Decision> next =
                    decider.decide(request, key.whole()).toCompletableFuture();
            if (!next.isDone() || next.isCompletedExceptionally()) {
                return next.thenCompose(decision -> {
                    CompletionStage<List<Decision>> end = endAfter(request, decision);
                    return end == null ? inTurn() : end;
                });
            }
            CompletionStage<List<Decision>> end = endAfter(request, next.join());
            if (end != null) {
                return end;
            }
        }
        return CompletableFuture.completedStage(made);
    }

    /** All decisions, if those after this one need not wait for their turn; else null. */
    private @Nullable CompletionStage<List<Decision>> endAfter(RequestBody request, Decision decision) {
        made.add(decision);
        if (Answers.isOfAnotherCall(decision)) {
            return CompletableFuture.completedStage(made);
        }
        return takesKey(request, decision) ? rest() : null;
    }

    /** What the first layer refuses nobody else hears of. */
    private static boolean takesKey(RequestBody request, Decision decision) {
        boolean isKnown = decision.isAllowed() || decision.decidedBy() != DecidedBy.FIRST_LAYER;
        return !request.peek() && !decision.charges().isEmpty() && isKnown;
    }

    private CompletionStage<List<Decision>> rest() {
        return inPortions(made, requests.size(), i -> decider.decide(requests.get(i), key.item(i)));
    }

    /** Decides the requests from the one after those that were, a portion at the same time: all at once would crowd out others. */
    static CompletionStage<List<Decision>> inPortions(
            List<Decision> made, int count, IntFunction<CompletionStage<Decision>> decider) {
        if (made.size() >= count) {
            return CompletableFuture.completedStage(made);
        }
        List<CompletableFuture<Decision>> portion = new ArrayList<>();
        for (int i = made.size(); i < Math.min(count, made.size() + PORTION); i++) {
            portion.add(decider.apply(i).toCompletableFuture());
        }
        return CompletableFuture.allOf(portion.toArray(CompletableFuture[]::new))
                .thenCompose(done -> {
                    portion.forEach(each -> made.add(each.join()));
                    return inPortions(made, count, decider);
                });
    }
}
