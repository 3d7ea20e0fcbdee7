package dev.penstock.server.internal.http;

import dev.penstock.Decision;
import dev.penstock.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The decisions of a call, of one request or a list of them, under one key. For one use.
 *
 * <p>The first that is charged to something takes the key for all, so those up to it are decided one after the other; where
 * the key is another call's, nothing of this one is charged. The rest are decided at the same time.
 */
final class Decisions {
    /** Decides a request under an id. */
    interface Decider {
        CompletionStage<Decision> decide(RequestBody request, RequestId id);
    }

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
        int at = made.size();
        if (at == requests.size()) {
            return CompletableFuture.completedStage(made);
        }
        RequestBody request = requests.get(at);
        return decider.decide(request, key.whole()).thenCompose(decision -> {
            made.add(decision);
            if (Answers.isOfAnotherCall(decision)) {
                return CompletableFuture.completedStage(made);
            }
            boolean takesKey = !request.peek() && !decision.charges().isEmpty();
            return takesKey ? rest() : inTurn();
        });
    }

    private CompletionStage<List<Decision>> rest() {
        List<CompletionStage<Decision>> others = new ArrayList<>();
        for (int i = made.size(); i < requests.size(); i++) {
            others.add(decider.decide(requests.get(i), key.item(i)));
        }
        return together(others).thenApply(all -> {
            made.addAll(all);
            return made;
        });
    }

    static CompletionStage<List<Decision>> together(List<CompletionStage<Decision>> all) {
        CompletableFuture<?>[] each =
                all.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(each)
                .thenApply(done -> all.stream()
                        .map(one -> one.toCompletableFuture().join())
                        .toList());
    }
}
