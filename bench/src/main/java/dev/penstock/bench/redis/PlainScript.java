package dev.penstock.bench.redis;

import dev.penstock.bench.load.LoadRate;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A limiter of one script on one key, without a library. Several accounts are asked in a row, up to the first denial.
 * Thread-safe.
 */
final class PlainScript extends OverLettuce {
    private static final CompletionStage<Boolean> DENIED = CompletableFuture.completedFuture(false);

    private final String sha;
    private final List<String[]> arguments = new ArrayList<>();

    private PlainScript(
            Lettuce lettuce, String script, List<BenchAccount> accounts, Function<LoadRate, String[]> numbers) {
        super(lettuce);
        this.sha = lettuce.load(script);
        accounts.forEach(account -> arguments.add(numbers.apply(account.rate())));
        lettuce.startHoldingBack();
    }

    /** Uses {@code gcra.lua}, the shortest script: a lower bound for the cost of a limit in Redis. */
    static PlainScript shortest(Lettuce lettuce, List<BenchAccount> accounts) {
        return new PlainScript(lettuce, "gcra.lua", accounts, rate -> {
            long periodMicros = rate.period().toNanos() / 1_000;
            return new String[] {Long.toString(periodMicros / rate.permits()), Long.toString(periodMicros)};
        });
    }

    /** Uses {@code hash_bucket.lua}, the script that articles show and gateways run. */
    static PlainScript usual(Lettuce lettuce, List<BenchAccount> accounts) {
        return new PlainScript(lettuce, "hash_bucket.lua", accounts, rate -> {
            double perSecond = rate.permits() * 1e9 / rate.period().toNanos();
            return new String[] {Integer.toString(rate.permits()), Double.toString(perSecond), "1"};
        });
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
