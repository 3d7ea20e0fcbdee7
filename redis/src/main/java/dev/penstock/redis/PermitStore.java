package dev.penstock.redis;

import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Settles, renews and gives back permits: reads the record of a permit, then calls {@code permit.lua}. Thread-safe. */
final class PermitStore {
    private final RedisConnection connection;
    private final KeyNames names;
    private final ScriptCalls scripts;
    private final TripReports trips;
    private final long rememberMillis;

    /** @param rememberMillis how long the final result of a permit is remembered */
    PermitStore(
            RedisConnection connection, KeyNames names, ScriptCalls scripts, TripReports trips, long rememberMillis) {
        this.connection = connection;
        this.names = names;
        this.scripts = scripts;
        this.trips = trips;
        this.rememberMillis = rememberMillis;
    }

    /** @param actual the actual costs; null to charge the reserved costs */
    CompletionStage<Settlement> settle(String permitIds, @Nullable Costs actual) {
        return end(PermitCall.Verb.SETTLE, permitIds, actual);
    }

    CompletionStage<Settlement> renew(String permitIds) {
        return end(PermitCall.Verb.RENEW, permitIds, null);
    }

    /** Settles the permit at cost 0, unless other requests with the same id were answered with it. */
    CompletionStage<Settlement> giveBack(String permitIds, Costs nothing) {
        return end(PermitCall.Verb.GIVE_BACK, permitIds, nothing);
    }

    /**
     * Returns the ids that a permit id consists of; none if no engine of this kind issued it. Only in a Cluster can
     * there be several.
     */
    List<PermitId> parts(String permitIds) {
        return PermitId.parse(RedisEngine.NAME, permitIds, connection.isCluster() ? Ask.MOST_CHARGES : 1);
    }

    private CompletionStage<Settlement> end(PermitCall.Verb verb, String permitIds, @Nullable Costs actual) {
        CompletionStage<Settlement> all = null;
        for (PermitId permitId : parts(permitIds)) {
            CompletionStage<Settlement> one = endPart(verb, permitId, actual);
            all = all == null ? one : all.thenCombine(one, PermitCall::together);
        }
        return all == null ? CompletableFuture.completedStage(Settlement.unknown()) : all;
    }

    private CompletionStage<Settlement> endPart(PermitCall.Verb verb, PermitId permitId, @Nullable Costs actual) {
        String key = names.permit(permitId);
        CompletionStage<Map<String, byte[]>> record;
        try {
            record = trips.watch(key, () -> connection.commands().hgetall(key))
                    .exceptionallyCompose(failure -> KeyErrors.failed(failure, key));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
        return record.thenCompose(known -> known.isEmpty()
                ? CompletableFuture.completedStage(Settlement.unknown())
                : scripts.end(new PermitCall(verb, permitId.text(), key, known, actual, rememberMillis)));
    }
}
