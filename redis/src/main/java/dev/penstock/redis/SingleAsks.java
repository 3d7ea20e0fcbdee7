package dev.penstock.redis;

import dev.penstock.Decision;
import dev.penstock.spi.Ask;
import java.util.concurrent.CompletionStage;

/**
 * Decides asks that travel in no batch, each by one call of {@code decide.lua}: those with permits, ids, replicas or
 * algorithms that {@code batch.lua} does not know. All charges of an ask are in one slot. Thread-safe.
 */
final class SingleAsks {
    private final RedisConnection connection;
    private final KeyNames names;
    private final ScriptCalls scripts;
    private final IdempotencyRecords ids;
    private final Replicas replicas;
    private final ShardedAsks shards;
    private final long rememberMillis;

    /**
     * @param shards bounds the asks that are under way to each shard
     * @param rememberMillis how long an answer to an ask with an id is remembered
     */
    SingleAsks(
            RedisConnection connection,
            KeyNames names,
            ScriptCalls scripts,
            IdempotencyRecords ids,
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

    /** The answer of the store, as a part of a spanning ask needs it. */
    CompletionStage<StoreAnswer> answer(Ask ask) {
        DecideCall call = call(ask);
        return mustBeReplicated(ask)
                ? replicas.decide(
                        ask,
                        Slots.of(names.state(ask.charge(0))),
                        commands -> scripts.by(commands).decide(call))
                : shards.send(ask, connection.shardOf(call.key()), () -> scripts.decide(call));
    }

    /** Whether an allowed answer counts only after replicas confirm the charge. */
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
