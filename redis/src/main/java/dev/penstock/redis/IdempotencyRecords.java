package dev.penstock.redis;

import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency records of requests with an id: where the answer to each is kept and, in a Cluster, which request owns the id
 * ({@code claim.lua}). The records themselves are read and written by {@code decide.lua}. Thread-safe.
 *
 * <p>A single server keeps the record of an id in one place, whatever its request is charged to, so every ask with that id finds
 * it. In a Cluster the answer is kept in the slot of the first charge, and only the slot of the id itself knows the owner.
 */
final class IdempotencyRecords {
    private final RedisConnection connection;
    private final KeyNames names;
    private final ScriptRunner claim;
    private final ShardedAsks shards;
    private final TripReports trips;
    private final long rememberMillis;

    IdempotencyRecords(
            RedisConnection connection,
            KeyNames names,
            ScriptRunner claim,
            ShardedAsks shards,
            TripReports trips,
            long rememberMillis) {
        this.connection = connection;
        this.names = names;
        this.claim = claim;
        this.shards = shards;
        this.trips = trips;
        this.rememberMillis = rememberMillis;
    }

    /**
     * Whether an id belongs to the ask that claimed it.
     *
     * @param nowMicros the store's time
     */
    record Claim(boolean isOwn, long nowMicros) {}

    /** Whether the ask has to claim its id before it is decided, which takes a round trip. */
    boolean mustBeClaimed(Ask ask) {
        return connection.isCluster() && ask.fingerprint() != null && ask.purpose() == Ask.Purpose.DECIDE;
    }

    CompletionStage<Claim> claim(Ask ask) {
        return runClaim("take", ask).thenApply(reply -> new Claim((Long) reply.get(1) != 0, (Long) reply.get(0)));
    }

    /** Nobody waits for it: a claim that is not given up expires. */
    void giveUpClaim(Ask ask) {
        CompletionStage<List<Object>> unused = runClaim("let go", ask);
    }

    private CompletionStage<List<Object>> runClaim(String verb, Ask ask) {
        List<String> arguments =
                List.of(verb, Expect.present(ask.fingerprint(), "fingerprint"), Long.toString(rememberMillis));
        return claim.run(List.of(names.claim(Expect.present(ask.id(), "id"))), arguments);
    }

    /** The key of the answer under the ask's id, if its charges are in that slot; null if it has no id. */
    @Nullable
    String answerKey(Ask ask, int slot) {
        String id = ask.id();
        return id == null ? null : names.request(id, connection.isCluster() ? slot : 0);
    }

    /** Whether there is a record of the ask's id, in one round trip; true without one if several keys would have to be read. */
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
            CompletionStage<Long> found = shards.send(
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
