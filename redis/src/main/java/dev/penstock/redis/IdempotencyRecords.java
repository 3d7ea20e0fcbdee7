package dev.penstock.redis;

import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ids of requests: where the answer to each is kept and, in a Cluster, which request owns an id. Thread-safe.
 *
 * <p>One server keeps an id in one place, whatever its request is charged to, so every ask under it meets the first. In a
 * Cluster the answer is kept in the slot of the first charge, and only the slot of the id itself knows the owner.
 */
final class IdempotencyRecords {
    private final RedisConnection connection;
    private final KeyNames names;
    private final ScriptRunner claim;
    private final ShardedAsks lone;
    private final TripReports trips;
    private final long rememberMillis;

    IdempotencyRecords(
            RedisConnection connection,
            KeyNames names,
            ScriptRunner claim,
            ShardedAsks lone,
            TripReports trips,
            long rememberMillis) {
        this.connection = connection;
        this.names = names;
        this.claim = claim;
        this.lone = lone;
        this.trips = trips;
        this.rememberMillis = rememberMillis;
    }

    /** Whether the ask has to claim its id before it is decided: that takes a trip of its own. */
    boolean mustBeClaimed(Ask ask) {
        return connection.isCluster() && ask.fingerprint() != null && ask.purpose() == Ask.Purpose.DECIDE;
    }

    /** Decides an ask if the id is its own. A denial lets go of the id. */
    CompletionStage<Decision> decideClaimed(Ask ask, Supplier<Reply<Decision>> decide) {
        return claim("take", ask).thenCompose(answer -> {
            long now = (Long) answer.get(0);
            boolean isTaken = (Long) answer.get(1) == 0;
            return isTaken
                    ? CompletableFuture.completedStage(Denied.idTaken(ask, now))
                    : decide.get().whenReady().thenApply(decision -> {
                        if (!decision.isAllowed()) {
                            CompletionStage<List<Object>> unused = claim("let go", ask);
                        }
                        return decision;
                    });
        });
    }

    private CompletionStage<List<Object>> claim(String verb, Ask ask) {
        List<String> arguments =
                List.of(verb, Expect.present(ask.fingerprint(), "fingerprint"), Long.toString(rememberMillis));
        return claim.run(List.of(names.claim(Expect.present(ask.id(), "id"))), (from, to) -> arguments);
    }

    /** The key of the answer under the ask's id, if its charges are in that slot; null if it has no id. */
    @Nullable
    String answerKey(Ask ask, int slot) {
        String id = ask.id();
        return id == null ? null : names.request(id, connection.isCluster() ? slot : 0);
    }

    /** Whether something is kept under the ask's id, in one trip; true without a trip if several keys would have to be asked. */
    Reply<Boolean> mayRemember(Ask ask) {
        String id = ask.id();
        if (id == null) {
            return Reply.now(false);
        }
        String key = mustBeClaimed(ask) ? names.claim(id) : null;
        if (key == null && connection.isCluster() && SpanningAsk.spans(ask, names)) {
            return Reply.now(true);
        }
        String asked = key != null ? key : Expect.present(answerKey(ask, slotOf(ask)), "id");
        try {
            CompletionStage<Long> found = lone.send(
                    ask,
                    connection.shardOf(asked),
                    () -> trips.watch(asked, () -> connection.commands().exists(asked)));
            return Reply.later(found.thenApply(count -> count > 0));
        } catch (RuntimeException e) {
            return Reply.later(CompletableFuture.failedStage(e));
        }
    }

    /** The slot in which the ask is decided. */
    int slotOf(Ask ask) {
        return ask.size() == 0 ? 0 : Slots.of(names.state(ask.charge(0)));
    }
}
