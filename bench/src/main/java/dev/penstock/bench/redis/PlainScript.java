package dev.penstock.bench.redis;

import dev.penstock.bench.load.LoadRate;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A lower bound for the cost of a limit in Redis: one short script, {@code gcra.lua}, on one key. Several accounts are
 * asked in a row, up to the first denial. Thread-safe.
 */
final class PlainScript extends OverLettuce {
    private static final CompletionStage<Boolean> DENIED = CompletableFuture.completedFuture(false);

    private final String sha;
    private final List<String[]> arguments = new ArrayList<>();

    PlainScript(Lettuce lettuce, List<BenchAccount> accounts) {
        super(lettuce);
        this.sha = lettuce.load("gcra.lua");
        for (BenchAccount account : accounts) {
            LoadRate rate = account.rate();
            long periodMicros = rate.period().toNanos() / 1_000;
            arguments.add(new String[] {Long.toString(periodMicros / rate.permits()), Long.toString(periodMicros)});
        }
        lettuce.startHoldingBack();
    }

    @Override
    public CompletionStage<Boolean> decide(List<String> values) {
        CompletionStage<Boolean> allowed = decide(values.get(0), arguments.get(0));
        for (int i = 1; i < values.size(); i++) {
            String value = values.get(i);
            String[] numbers = arguments.get(i);
            allowed = allowed.thenCompose(before -> before ? decide(value, numbers) : DENIED);
        }
        return allowed;
    }

    private CompletionStage<Boolean> decide(String value, String[] numbers) {
        String[] keys = {Keys.of(value)};
        CompletionStage<List<Long>> answer = lettuce.commands().evalsha(sha, ScriptOutputType.MULTI, keys, numbers);
        lettuce.sent();
        return answer.thenApply(reply -> reply.get(0) == 1);
    }
}
