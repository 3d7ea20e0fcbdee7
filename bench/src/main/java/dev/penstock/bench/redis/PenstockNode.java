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

/** Penstock over Redis. Concurrent decisions are sent in batches. Thread-safe. */
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

    /** Creates a node on which the store makes every decision. */
    static PenstockNode strict(String uri, List<BenchAccount> accounts) {
        return new PenstockNode(accounts, RedisEngine.builder(uri).build(), POLICY, DecidedBy.STORE);
    }

    /** Creates a strict node that keeps all accounts of a request in one slot, by its last attribute. */
    static PenstockNode colocated(String uri, List<BenchAccount> accounts) {
        Policy policy = POLICY.colocate(accounts.get(accounts.size() - 1).attribute());
        return new PenstockNode(accounts, RedisEngine.builder(uri).build(), policy, DecidedBy.STORE);
    }

    /** Creates a node that repeats the store's denials for as long as they are certain. */
    static PenstockNode withDenyCache(String uri, List<BenchAccount> accounts) {
        Engine engine = DenyCache.around(RedisEngine.builder(uri).build());
        return new PenstockNode(accounts, engine, POLICY, DecidedBy.STORE, DecidedBy.DENY_CACHE);
    }

    /** Creates a node with a deny cache that also draws permits of hot keys ahead. */
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
