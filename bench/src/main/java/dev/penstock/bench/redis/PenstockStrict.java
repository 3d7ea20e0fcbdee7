package dev.penstock.bench.redis;

import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.PolicySet;
import dev.penstock.Request;
import dev.penstock.bench.load.Rate;
import dev.penstock.redis.RedisEngine;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Penstock over Redis, where every decision is made by the store; those that wait at the same moment travel together. */
final class PenstockStrict implements Decider {
    private final Limiter limiter;
    private final List<String> attributes;

    PenstockStrict(String uri, List<Account> accounts) {
        Policy policy = Policy.named("api");
        for (Account account : accounts) {
            Rate rate = account.rate();
            policy = policy.limit(Limit.tokenBucket(rate.permits(), rate.period()), account.attribute());
        }
        this.limiter = Limiter.builder(PolicySet.of(policy))
                .engine(RedisEngine.at(uri).build())
                .build();
        this.attributes = accounts.stream().map(Account::attribute).toList();
    }

    @Override
    public CompletionStage<Boolean> decide(List<String> values) {
        Request request = Request.of(attributes.get(0), values.get(0));
        for (int i = 1; i < values.size(); i++) {
            request = request.with(attributes.get(i), values.get(i));
        }
        return limiter.decideAsync(request).thenApply(PenstockStrict::isAllowed);
    }

    private static boolean isAllowed(Decision decision) {
        if (decision.decidedBy() != DecidedBy.STORE) {
            throw new IllegalStateException("decided by " + decision.decidedBy() + " (expected: by the store)");
        }
        return decision.isAllowed();
    }

    @Override
    public void close() {
        limiter.close();
    }
}
