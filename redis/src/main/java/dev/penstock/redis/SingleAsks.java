package dev.penstock.redis;

import dev.penstock.Decision;
import dev.penstock.spi.Ask;
import java.util.concurrent.CompletionStage;

/**
 * Decides asks outside of batches, each by one call of {@code decide.lua}: asks with permits, ids, replicas or
 * algorithms that {@code batch.lua} does not support. All charges of an ask are in one slot. Thread-safe.
 */
final class SingleAsks {
    private final RedisConnection connection;
    private final KeyNames names;
    private final ScriptCalls scripts;
    private final IdempotencyClaims ids;
    private final Replicas replicas;
    private final ShardedAsks shards;
    private final long rememberMillis;

    /**
     * Creates the decisions of one engine.
     *
     * @param shards limits the asks in flight to each shard
     * @param rememberMillis how long an answer to an ask with an id is remembered
     */
    SingleAsks(
            RedisConnection connection,
            KeyNames names,
            ScriptCalls scripts,
            IdempotencyClaims ids,
            Replicas replicas,
            ShardedAsks shards,
            long rememberMillis) {
        this.connection = connection;
        this.names = names;
        this.scripts = scripts;
        this.ids = ids;
        this.replicas = replicas;
        this.shards = shards;
        this.rememberMillis = rememberMillis;
    }

    CompletionStage<Decision> decide(Ask ask) {
        return answer(ask).thenApply(answer -> answer.decision(ask));
    }

    /** Returns the answer of the store in the form that a spanning ask needs for its parts. */
    CompletionStage<StoreAnswer> answer(Ask ask) {
        DecideCall call = call(ask);
        return mustBeReplicated(ask)
                ? replicas.decide(
                        ask,
                        Slots.of(names.state(ask.charge(0))),
                        commands -> scripts.by(commands).decide(call))
                : shards.send(ask, connection.shardOf(call.key()), () -> scripts.decide(call));
    }

    /** Returns whether the ask is allowed only after replicas acknowledge the charge. */
    static boolean mustBeReplicated(Ask ask) {
        return ask.replicas() > 0 && ask.size() > 0 && ask.purpose() == Ask.Purpose.DECIDE;
    }

    private DecideCall call(Ask ask) {
        int slot = ids.slotOf(ask);
        String idKey = ids.answerKey(ask, slot);
        PermitId permitId = DecideCall.mayHold(ask) ? PermitId.random(RedisEngine.NAME, slot) : null;
        return new DecideCall(ask, names, idKey, permitId, rememberMillis, scripts.ownRuleIds(ask));
    }
}
