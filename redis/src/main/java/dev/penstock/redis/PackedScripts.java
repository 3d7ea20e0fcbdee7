package dev.penstock.redis;

import dev.penstock.redis.PackedCall.Target;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Sends each {@link PackedCall} to its script. Thread-safe. */
final class PackedScripts {
    private final Map<Target, ScriptRunner> runners = new EnumMap<>(Target.class);
    private final TripReports trips;

    /** @param runner creates the runner of a script */
    PackedScripts(Function<Target, ScriptRunner> runner, TripReports trips) {
        for (Target target : Target.values()) {
            runners.put(target, runner.apply(target));
        }
        this.trips = trips;
    }

    /** Sends the call and returns the reply, which {@link PackedCall#read} reads. */
    CompletionStage<byte[]> run(PackedCall call) {
        trips.together(call.size());
        ScriptRunner runner = runners.get(call.target());
        if (runner == null) {
            throw new AssertionError(call.target());
        }
        return runner.run(call.keys(), call.argument());
    }
}
