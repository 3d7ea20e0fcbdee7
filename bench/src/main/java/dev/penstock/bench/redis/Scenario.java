package dev.penstock.bench.redis;

import dev.penstock.bench.load.LoadRate;
import java.time.Duration;
import java.util.List;

/**
 * The requests of a case, and how they are sent.
 *
 * @param arrival when the next request is sent
 * @param accounts the limits on each request, in the order of the values in a request
 * @param users the number of users, each of which sends one request before anything is measured
 * @param skew how often each user sends requests
 * @param store the servers that are asked
 */
record Scenario(String caseName, Arrival arrival, List<BenchAccount> accounts, int users, Skew skew, Store store) {
    /** When the next request is sent. */
    enum Arrival {
        /** When one of {@link #mostInFlight} requests is answered. */
        MANY_IN_FLIGHT,
        /** When the previous one is answered. */
        ONE_AT_A_TIME,
        /** At a fixed rate regardless of answers, with as many PINGs in between. */
        AT_A_PACE,
        /** From two threads as fast as possible, with at most {@link #mostInFlight} unanswered requests. */
        FROM_THREADS,
        /** At {@link #TIMES_THE_LIMIT} times the rate of the limit, regardless of answers. */
        FLOOD,
        /** From {@link #FLEET_NODES} nodes, each at {@link #FLEET_PER_SECOND}, regardless of answers. */
        FLEET
    }

    /** How often each user sends requests, compared with others. */
    enum Skew {
        /** All users are equal. */
        NONE,
        /** The k-th user sends 1/k as many requests as the first. */
        ZIPF
    }

    /** The servers that are asked. */
    enum Store {
        ONE_SERVER,
        /** Three primaries. */
        CLUSTER
    }

    static final int TIMES_THE_LIMIT = 1_000;

    static final int FLEET_NODES = 32;
    static final int FLEET_PER_SECOND = 500;

    static final int MOST_IN_FLIGHT = 256;

    /** Lower, because requests in a Cluster are not batched and a request that spans slots takes six commands. */
    static final int MOST_IN_FLIGHT_IN_A_CLUSTER = 32;

    private static final int USERS = 100_000;

    /** For a Cluster, where each request takes longer. */
    private static final int CLUSTER_USERS = 10_000;

    private static final int TENANTS = 1_000;
    private static final int ROUTES = 50;
    private static final int FEW_USERS = 1_000;

    /** More than any machine requests in a turn, with a whole number of microseconds per permit. */
    private static final LoadRate ABOVE_DEMAND = new LoadRate(100_000_000, Duration.ofSeconds(100));

    /**
     * Less than the demand, with small bursts, so that the admitted requests measure the turn's length to about one
     * percent.
     */
    private static final LoadRate BELOW_DEMAND = new LoadRate(500, Duration.ofMillis(50));

    private static final BenchAccount TENANT = new BenchAccount("tenant", LoadRate.TENANT, "tenant-", 4, TENANTS, 1);

    private static final List<BenchAccount> TWO = List.of(users(CLUSTER_USERS, LoadRate.MILLIONTH), TENANT);

    private static final List<BenchAccount> THREE = List.of(
            users(USERS, LoadRate.MILLIONTH), // so that no key becomes idle and is evicted during a measurement
            TENANT,
            new BenchAccount("route", LoadRate.ROUTE, "/v1/route-", 2, ROUTES, USERS));

    static final Scenario UNIFORM = ofUsers("uniform", Arrival.MANY_IN_FLIGHT, USERS, LoadRate.MILLIONTH);
    static final Scenario ZIPF = new Scenario(
            "zipf", Arrival.MANY_IN_FLIGHT, List.of(users(USERS, LoadRate.TENANT)), USERS, Skew.ZIPF, Store.ONE_SERVER);
    static final Scenario HOT_KEY = ofUsers("hot_key", Arrival.MANY_IN_FLIGHT, 1, ABOVE_DEMAND);
    static final Scenario HOT_KEY_LEASED = ofUsers("hot_key_leased", Arrival.FROM_THREADS, 1, BELOW_DEMAND);
    static final Scenario ATTACK = ofUsers("attack", Arrival.FLOOD, 1, LoadRate.ATTACKED);
    static final Scenario THREE_LIMITS =
            new Scenario("three_limits", Arrival.MANY_IN_FLIGHT, THREE, USERS, Skew.NONE, Store.ONE_SERVER);
    static final Scenario THREE_LIMITS_LATENCY =
            new Scenario("three_limits_latency", Arrival.ONE_AT_A_TIME, THREE, USERS, Skew.NONE, Store.ONE_SERVER);
    static final Scenario CLUSTER_SLOTS =
            new Scenario("cluster_slots", Arrival.MANY_IN_FLIGHT, TWO, CLUSTER_USERS, Skew.NONE, Store.CLUSTER);
    static final Scenario CLUSTER_SLOTS_LATENCY =
            new Scenario("cluster_slots_latency", Arrival.ONE_AT_A_TIME, TWO, CLUSTER_USERS, Skew.NONE, Store.CLUSTER);
    static final Scenario FLEET = ofUsers("fleet", Arrival.FLEET, USERS, LoadRate.MILLIONTH);
    static final Scenario FLEET_THREE_LIMITS =
            new Scenario("fleet_three_limits", Arrival.FLEET, THREE, USERS, Skew.NONE, Store.ONE_SERVER);
    static final Scenario LATENCY = ofUsers("latency", Arrival.AT_A_PACE, FEW_USERS, LoadRate.MILLIONTH);

    /** Every user sends one request. The memory is then read from Redis. */
    static final Scenario MEMORY = ofUsers("memory", Arrival.MANY_IN_FLIGHT, FEW_USERS, LoadRate.MILLIONTH);

    static final List<Scenario> ALL = List.of(
            UNIFORM,
            ZIPF,
            HOT_KEY,
            HOT_KEY_LEASED,
            ATTACK,
            THREE_LIMITS,
            THREE_LIMITS_LATENCY,
            FLEET,
            FLEET_THREE_LIMITS,
            LATENCY,
            CLUSTER_SLOTS,
            CLUSTER_SLOTS_LATENCY,
            MEMORY);

    static Scenario of(String caseName) {
        return ALL.stream()
                .filter(each -> each.caseName().equals(caseName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(caseName + " (expected: a case)"));
    }

    int inFlight() {
        return arrival == Arrival.ONE_AT_A_TIME ? 1 : mostInFlight();
    }

    int mostInFlight() {
        return store == Store.CLUSTER ? MOST_IN_FLIGHT_IN_A_CLUSTER : MOST_IN_FLIGHT;
    }

    /** Returns how many permits the limit allows per second. */
    double permitsPerSecond() {
        LoadRate rate = accounts.get(0).rate();
        return rate.permits() * 1e9 / rate.period().toNanos();
    }

    /** Returns the number of nodes that send requests, each with its own connections. */
    int nodes() {
        return arrival == Arrival.FLEET ? FLEET_NODES : 1;
    }

    /** Returns the rate of requests that are sent regardless of answers. */
    long fixedPerSecond() {
        return arrival == Arrival.FLEET
                ? (long) FLEET_NODES * FLEET_PER_SECOND
                : Math.round(TIMES_THE_LIMIT * permitsPerSecond());
    }

    /** Returns the number of distinct requests. */
    int requests() {
        return accounts.stream()
                .mapToInt(account -> account.divisor() * account.count())
                .max()
                .orElseThrow();
    }

    /** Returns the minimum number of keys after a turn; 0 if accounts become idle during it and are evicted. */
    int keysAfterwards() {
        return skew == Skew.ZIPF || users == 1 ? 0 : users;
    }

    private static Scenario ofUsers(String caseName, Arrival arrival, int count, LoadRate rate) {
        return new Scenario(caseName, arrival, List.of(users(count, rate)), count, Skew.NONE, Store.ONE_SERVER);
    }

    private static BenchAccount users(int count, LoadRate rate) {
        return new BenchAccount("user", rate, "user-", 7, count, 1);
    }
}
