package dev.penstock.redis;

import java.util.concurrent.CompletionStage;

/** Sends a batch to {@code batch.lua}. Thread-safe. */
final class BatchScript {
    private final ScriptRunner script;
    private final TripReports trips;

    BatchScript(ScriptRunner script, TripReports trips) {
        this.script = script;
        this.trips = trips;
    }

    /** Sends the batch and returns the reply, which {@link Batch#read} reads. */
    CompletionStage<byte[]> run(Batch batch) {
        trips.together(batch.size());
        return script.run(batch.keys(), batch.argument());
    }
}
