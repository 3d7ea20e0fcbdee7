package dev.penstock.redis;

import dev.penstock.spi.Completion;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Deletes the accounts of some counters. It scans all keys, a thousand at a time. For one use. */
final class CounterSweep {
    private static final int KEYS_A_LOOK = 1_000;

    private final RedisClusterAsyncCommands<String, byte[]> commands;
    private final KeyNames names;
    private final Set<String> written;
    private final ScanArgs some;
    private final CompletableFuture<Completion> done = new CompletableFuture<>();

    CounterSweep(RedisClusterAsyncCommands<String, byte[]> commands, KeyNames names, Set<String> counters) {
        this.commands = commands;
        this.names = names;
        this.written = KeyNames.written(counters);
        this.some = ScanArgs.Builder.matches(names.accounts()).limit(KEYS_A_LOOK);
    }

    CompletionStage<Completion> run() {
        look(ScanCursor.INITIAL);
        return done;
    }

    private void look(ScanCursor from) {
        try {
            CompletionStage<KeyScanCursor<String>> unused = commands.scan(from, some)
                    .whenComplete((found, failure) -> {
                        if (failure == null) {
                            delete(found);
                        } else {
                            done.completeExceptionally(failure);
                        }
                    });
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        }
    }

    private void delete(KeyScanCursor<String> found) {
        List<String> meant = found.getKeys().stream().filter(this::isMeant).toList();
        if (meant.isEmpty()) {
            goOn(found);
            return;
        }
        try {
            CompletionStage<Long> unused = commands.del(meant.toArray(String[]::new))
                    .whenComplete((count, failure) -> {
                        if (failure == null) {
                            goOn(found);
                        } else {
                            done.completeExceptionally(failure);
                        }
                    });
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        }
    }

    private boolean isMeant(String key) {
        String counter = names.counter(key);
        return counter != null && written.contains(counter);
    }

    private void goOn(KeyScanCursor<String> found) {
        if (found.isFinished()) {
            done.complete(Completion.DONE);
        } else {
            look(found);
        }
    }
}
