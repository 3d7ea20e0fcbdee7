package dev.penstock.redis;

import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Finds the key of the answer to a request with an id and, in a Cluster, claims the id for the request ({@code
 * claim.lua}). {@code decide.lua} reads and writes the answers themselves. Thread-safe.
 *
 * <p>A single server keeps the record of an id under one key, whatever its request is charged to, so every ask with
 * that id finds it. In a Cluster, the answer is in the slot of the first charge, and only the slot of the id itself
 * knows the owner.
 */
final class IdempotencyClaims {
    private final RedisConnection connection;
    private final KeyNames names;
    private final ScriptRunner claim;
    private final ShardedAsks shards;
    private final TripReports trips;
    private final long rememberMillis;

    IdempotencyClaims(
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
     * The result of claiming an id.
     *
     * @param isOwn whether the id belongs to the ask that claimed it
     * @param nowMicros the store's time
     */
    record Claim(boolean isOwn, long nowMicros) {}

    /** Returns whether the ask must claim its id before it is decided, which takes a round trip. */
    boolean mustBeClaimed(Ask ask) {
        return connection.isCluster() && ask.fingerprint() != null && ask.purpose() == Ask.Purpose.DECIDE;
    }

    CompletionStage<Claim> claim(Ask ask) {
        return runClaim("take", ask).thenApply(reply -> new Claim((Long) reply.get(1) != 0, (Long) reply.get(0)));
    }

    /** Releases the claim without waiting. A claim that is not released expires. */
    void giveUpClaim(Ask ask) {
        CompletionStage<List<Object>> unused = runClaim("let go", ask);
    }

    private CompletionStage<List<Object>> runClaim(String verb, Ask ask) {
        List<String> arguments =
                List.of(verb, Expect.present(ask.fingerprint(), "fingerprint"), Long.toString(rememberMillis));
        return claim.run(List.of(names.claim(Expect.present(ask.id(), "id"))), arguments);
    }

    /** Returns the key of the answer under the ask's id, for charges in this slot; null if the ask has no id. */
    @Nullable
    String answerKey(Ask ask, int slot) {
        String id = ask.id();
        return id == null ? null : names.request(id, connection.isCluster() ? slot : 0);
    }

    /**
     * Returns whether Redis has a record of the ask's id, in one round trip. Returns true without asking if several
     * keys would have to be read.
     */
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

    /** Returns the slot in which the ask is decided. */
    int slotOf(Ask ask) {
        return ask.size() == 0 ? 0 : Slots.of(names.state(ask.charge(0)));
    }
}
