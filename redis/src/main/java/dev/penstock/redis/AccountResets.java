package dev.penstock.redis;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Resets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Deletes accounts, and announces the resets to the other nodes. Thread-safe. */
final class AccountResets {
    private final RedisConnection connection;
    private final KeyNames names;
    private final TripReports trips;
    private final RedisFleet fleet;

    AccountResets(RedisConnection connection, KeyNames names, TripReports trips, RedisFleet fleet) {
        this.connection = connection;
        this.names = names;
        this.trips = trips;
        this.fleet = fleet;
    }

    /** Deletes the accounts of an ask with at least one charge. */
    CompletionStage<Completion> reset(Ask ask) {
        List<String> keys = new ArrayList<>();
        for (Charge charge : ask.charges()) {
            names.addAccount(charge, keys);
        }
        try {
            return trips.watch(keys.get(0), () -> connection.commands().del(keys.toArray(String[]::new)))
                    .thenApply(count -> {
                        fleet.announce(Resets.of(ask));
                        return Completion.DONE;
                    });
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Deletes all accounts of these counters. */
    CompletionStage<Completion> resetCounters(Set<String> counters) {
        try {
            return new CounterSweep(connection.commands(), names, counters)
                    .run()
                    .thenApply(done -> {
                        fleet.announce(Resets.ALL);
                        return done;
                    });
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
