package dev.penstock.engine;

import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.InterceptingEngine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A store on the other side of a wire: what is asked arrives there when a test says so, and is decided then; the answer
 * comes back when a test says so.
 */
final class LateEngine extends InterceptingEngine {
    /** Something asked, and the answer that its caller waits for. */
    private record Trip<T>(Supplier<Reply<T>> call, CompletableFuture<T> answer) {
        /** Decides it, and gives what brings the answer back. */
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

    /** What was sent first arrives. */
    void arrive() {
        onTheWayBack.add(onTheWayThere.remove().arrive());
    }

    /** What was sent first is lost, and its caller is told. */
    void failFirst(RuntimeException failure) {
        onTheWayThere.remove().answer().completeExceptionally(failure);
    }

    /** What was sent last arrives, before the others. */
    void arriveLast() {
        onTheWayBack.add(onTheWayThere.removeLast().arrive());
    }

    /** The first answer comes back. */
    void comeBack() {
        onTheWayBack.remove().run();
    }

    /** The last answer comes back, before the others. */
    void comeBackLast() {
        onTheWayBack.removeLast().run();
    }

    @Override
    protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        onTheWayThere.add(new Trip<>(call, answer));
        return Reply.later(answer);
    }

    /** Sends everything there and back until nothing is on its way. */
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
