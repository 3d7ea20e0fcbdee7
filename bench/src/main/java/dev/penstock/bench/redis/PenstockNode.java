package dev.penstock.bench.redis;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Policy.Consistency;
import dev.penstock.Request;
import dev.penstock.bench.load.LoadRate;
import dev.penstock.engine.DenyCache;
import dev.penstock.engine.Leasing;
import dev.penstock.redis.RedisEngine;
import dev.penstock.spi.Engine;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Penstock over Redis; decisions that wait at the same moment travel together. Thread-safe. */
final class PenstockNode implements Decider {
    private static final Policy POLICY = Policy.named("api");

    private final Limiter limiter;
    private final List<String> attributes;
    private final Set<DecidedBy> deciders;

    private PenstockNode(List<BenchAccount> accounts, Engine engine, Policy bare, DecidedBy... deciders) {
        Policy policy = bare;
        for (BenchAccount account : accounts) {
            LoadRate rate = account.rate();
            policy = policy.limit(Limit.tokenBucket(rate.permits(), rate.period()), account.attribute());
        }
        this.limiter = Limiter.builder(Policy.setOf(policy)).engine(engine).build();
        this.attributes = accounts.stream().map(BenchAccount::attribute).toList();
        this.deciders = Set.of(deciders);
    }

    /** Where every decision is made by the store. */
    static PenstockNode strict(String uri, List<BenchAccount> accounts) {
        return new PenstockNode(accounts, RedisEngine.builder(uri).build(), POLICY, DecidedBy.STORE);
    }

    /** The same with all that is counted of a request in one slot, that of its last attribute. */
    static PenstockNode colocated(String uri, List<BenchAccount> accounts) {
        Policy policy = POLICY.colocate(accounts.get(accounts.size() - 1).attribute());
        return new PenstockNode(accounts, RedisEngine.builder(uri).build(), policy, DecidedBy.STORE);
    }

    /** Where what the store denied is denied here for as long as that is certain. */
    static PenstockNode withDenyCache(String uri, List<BenchAccount> accounts) {
        Engine engine = DenyCache.around(RedisEngine.builder(uri).build());
        return new PenstockNode(accounts, engine, POLICY, DecidedBy.STORE, DecidedBy.DENY_CACHE);
    }

    /** The same, and permits of hot keys are drawn ahead. */
    static PenstockNode leasing(String uri, List<BenchAccount> accounts) {
        Engine engine = DenyCache.around(
                Leasing.builder(RedisEngine.builder(uri).build()).build());
        return new PenstockNode(
                accounts,
                engine,
                POLICY.consistency(Consistency.LEASED),
                DecidedBy.STORE,
                DecidedBy.DENY_CACHE,
                DecidedBy.LEASE);
    }

    @Override
    public CompletionStage<Boolean> decide(List<String> values) {
        Request request = Request.of(attributes.get(0), values.get(0));
        for (int i = 1; i < values.size(); i++) {
            request = request.with(attributes.get(i), values.get(i));
        }
        return limiter.decideAsync(request).thenApply(this::isAllowed);
    }

    private boolean isAllowed(Decision decision) {
        if (!deciders.contains(decision.decidedBy())) {
            throw new IllegalStateException("decided by " + decision.decidedBy() + " (expected: " + deciders + ")");
        }
        return decision.isAllowed();
    }

    @Override
    public void close() {
        limiter.close();
    }
}
