package dev.penstock.bench.redis;

import java.util.List;

/** Creates contenders by name. */
final class Deciders {
    static final String PENSTOCK = "penstock_strict";
    static final String PENSTOCK_LEASED = "penstock_leased";
    static final String PENSTOCK_CACHED = "penstock_deny_cache";
    static final String PENSTOCK_COLOCATED = "penstock_colocated";
    static final String PENSTOCK_SPANNING = "penstock_spanning";
    static final String BUCKET4J = "bucket4j";
    static final String BUCKET4J_BATCHING = "bucket4j_batching";
    static final String REDISSON = "redisson";
    static final String SPRING = "spring_cloud_gateway";
    static final String PLAIN = "plain_evalsha";
    static final String PLAIN_PIPELINED = "plain_evalsha_pipelined";
    static final String THREE_PLAIN = "three_plain_evalsha";
    static final String HASH = "hash_evalsha";
    static final String THREE_HASH = "three_hash_evalsha";
    static final String INCR = "incr_pipelined";

    private Deciders() {}

    /** Opens the contender for each node of the scenario. */
    static Decider open(String contender, String uri, Scenario scenario) {
        return scenario.nodes() == 1
                ? open(contender, uri, scenario.accounts())
                : BenchFleet.open(scenario.nodes(), () -> open(contender, uri, scenario.accounts()));
    }

    static Decider open(String contender, String uri, List<BenchAccount> accounts) {
        BenchAccount first = accounts.get(0);
        return switch (contender) {
            case PENSTOCK, PENSTOCK_SPANNING -> PenstockNode.strict(uri, accounts);
            case PENSTOCK_COLOCATED -> PenstockNode.colocated(uri, accounts);
            case PENSTOCK_CACHED -> PenstockNode.withDenyCache(uri, accounts);
            case PENSTOCK_LEASED -> PenstockNode.leasing(uri, accounts);
            case BUCKET4J -> Bucket4jLettuceBuckets.byDefault(uri, first.rate());
            case BUCKET4J_BATCHING -> Bucket4jLettuceBuckets.batching(uri, first.rate());
            case REDISSON -> new RedissonLimiters(uri, first.rate());
            case SPRING -> new SpringScript(uri, first.rate());
            case PLAIN, THREE_PLAIN -> PlainScript.shortest(Lettuce.flushingEach(uri), accounts);
            case PLAIN_PIPELINED -> PlainScript.shortest(Lettuce.flushingTogether(uri), accounts);
            case HASH, THREE_HASH -> PlainScript.usual(Lettuce.flushingEach(uri), accounts);
            case INCR -> new Increments(Lettuce.flushingTogether(uri));
            default -> throw new IllegalArgumentException(contender + " (expected: a contender)");
        };
    }
}
