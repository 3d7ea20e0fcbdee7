package dev.penstock.bench.redis;

import dev.penstock.bench.load.LoadRate;
import java.time.Duration;
import java.util.List;

/**
 * What is asked in a case, and how.
 *
 * @param arrival when the next request comes
 * @param accounts the limits on each request, in the order of the values in a request
 * @param users how many different users ask, each of them once before anything is measured
 * @param skew how often each of them asks
 * @param store what is asked
 */
record Scenario(String caseName, Arrival arrival, List<BenchAccount> accounts, int users, Skew skew, Store store) {
    /** When the next request comes. */
    enum Arrival {
        /** As soon as one of {@link #mostInFlight} is answered. */
        MANY_IN_FLIGHT,
        /** As soon as the one before is answered. */
        ONE_AT_A_TIME,
        /** So many a second, whatever has been answered; with as many PINGs in between. */
        AT_A_PACE,
        /** From two threads as fast as they can, while no more than {@link #mostInFlight} are not answered. */
        FROM_THREADS,
        /** {@link #TIMES_THE_LIMIT} times as often as the limit allows, whatever has been answered. */
        FLOOD
    }

    /** How often each user asks, compared with others. */
    enum Skew {
        /** All alike. */
        NONE,
        /** The second half as often as the first, the third a third, and so on. */
        ZIPF
    }

    /** What is asked. */
    enum Store {
        ONE_SERVER,
        /** Of three primaries. */
        CLUSTER
    }

    static final int TIMES_THE_LIMIT = 1_000;

    static final int MOST_IN_FLIGHT = 256;

    /** Where nobody travels together, and a request that spans slots takes six commands. */
    static final int MOST_IN_FLIGHT_IN_A_CLUSTER = 32;

    private static final int USERS = 100_000;

    /** Of a Cluster, where each request takes longer. */
    private static final int CLUSTER_USERS = 10_000;

    private static final int TENANTS = 1_000;
    private static final int ROUTES = 50;
    private static final int FEW_USERS = 1_000;

    /** More than any machine asks for in a turn, and a whole number of microseconds for each permit. */
    private static final LoadRate ABOVE_DEMAND = new LoadRate(100_000_000, Duration.ofSeconds(100));

    /** Less than anyone asks for, in small bursts: so what a turn admits is its length, but for a hundredth. */
    private static final LoadRate BELOW_DEMAND = new LoadRate(500, Duration.ofMillis(50));

    private static final BenchAccount TENANT = new BenchAccount("tenant", LoadRate.TENANT, "tenant-", 4, TENANTS, 1);

    private static final List<BenchAccount> TWO = List.of(users(CLUSTER_USERS, LoadRate.MILLIONTH), TENANT);

    private static final List<BenchAccount> THREE = List.of(
            users(USERS, LoadRate.MILLIONTH), // so that no key is idle and forgotten while it is measured
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
    static final Scenario LATENCY = ofUsers("latency", Arrival.AT_A_PACE, FEW_USERS, LoadRate.MILLIONTH);

    /** Everyone asks once, and what that takes in Redis is read from outside. */
    static final Scenario MEMORY = ofUsers("memory", Arrival.MANY_IN_FLIGHT, FEW_USERS, LoadRate.MILLIONTH);

    static final List<Scenario> ALL = List.of(
            UNIFORM,
            ZIPF,
            HOT_KEY,
            HOT_KEY_LEASED,
            ATTACK,
            THREE_LIMITS,
            THREE_LIMITS_LATENCY,
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

    /** What the limit allows in a second. */
    double permitsPerSecond() {
        LoadRate rate = accounts.get(0).rate();
        return rate.permits() * 1e9 / rate.period().toNanos();
    }

    long floodPerSecond() {
        return Math.round(TIMES_THE_LIMIT * permitsPerSecond());
    }

    /** How many different requests there are. */
    int requests() {
        return accounts.stream()
                .mapToInt(account -> account.divisor() * account.count())
                .max()
                .orElseThrow();
    }

    /** How many keys there are at least after a turn; a limit that nobody reaches is forgotten at once. */
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
