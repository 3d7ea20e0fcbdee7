package dev.penstock.cache;

import dev.penstock.Ask;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.spi.Done;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store on the other side of a wire: what is asked arrives there when a test says so, and is decided then; the answer
 * comes back when a test says so.
 */
final class LateEngine implements Engine {
    private final Engine inner;
    private final Deque<Runnable> onTheWayThere = new ArrayDeque<>();
    private final Deque<Runnable> onTheWayBack = new ArrayDeque<>();

    LateEngine(Engine inner) {
        this.inner = inner;
    }

    /** What was sent first arrives. */
    void arrive() {
        onTheWayThere.remove().run();
    }

    /** What was sent last arrives, before the others. */
    void arriveLast() {
        onTheWayThere.removeLast().run();
    }

    /** The first answer comes back. */
    void comeBack() {
        onTheWayBack.remove().run();
    }

    /** The last answer comes back, before the others. */
    void comeBackLast() {
        onTheWayBack.removeLast().run();
    }

    private <T> Reply<T> send(Supplier<Reply<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        onTheWayThere.add(() -> {
            T decided = call.get().ifReady();
            onTheWayBack.add(() -> answer.complete(decided));
        });
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

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        return send(() -> inner.decide(ask));
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return send(() -> inner.settle(permitId, actual));
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return send(() -> inner.renew(permitId));
    }

    @Override
    public Reply<Done> reset(Ask ask) {
        return send(() -> inner.reset(ask));
    }

    @Override
    public void close() {
        inner.close();
    }
}
