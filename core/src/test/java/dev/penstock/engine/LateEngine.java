package dev.penstock.engine;

import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.InterceptingEngine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A store at the other end of a wire. An ask arrives there and is decided when the test says so, and its answer returns
 * when the test says so.
 */
final class LateEngine extends InterceptingEngine {
    /** A call, and the answer that its caller waits for. */
    private record Trip<T>(Supplier<Reply<T>> call, CompletableFuture<T> answer) {
        /** Executes the call, and returns the task that delivers the answer. */
        Runnable arrive() {
            T decided = call.get().ifReady();
            return () -> answer.complete(decided);
        }
    }

    private final Deque<Trip<?>> onTheWayThere = new ArrayDeque<>();
    private final Deque<Runnable> onTheWayBack = new ArrayDeque<>();

    LateEngine(Engine inner) {
        super(inner);
    }

    /** Delivers the first call that was sent. */
    void arrive() {
        onTheWayBack.add(onTheWayThere.remove().arrive());
    }

    /** Loses the first call that was sent, and fails it. */
    void failFirst(RuntimeException failure) {
        onTheWayThere.remove().answer().completeExceptionally(failure);
    }

    /** Delivers the last call that was sent, before the others. */
    void arriveLast() {
        onTheWayBack.add(onTheWayThere.removeLast().arrive());
    }

    /** Delivers the first answer. */
    void comeBack() {
        onTheWayBack.remove().run();
    }

    /** Delivers the last answer, before the others. */
    void comeBackLast() {
        onTheWayBack.removeLast().run();
    }

    @Override
    protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        onTheWayThere.add(new Trip<>(call, answer));
        return Reply.later(answer);
    }

    /** Delivers all calls and answers until nothing is in flight. */
    void settleDown() {
        while (!onTheWayThere.isEmpty() || !onTheWayBack.isEmpty()) {
            if (onTheWayThere.isEmpty()) {
                comeBack();
            } else {
                arrive();
            }
        }
    }
}
