package dev.penstock.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Clock;
import dev.penstock.Limit;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.spi.PolicySet;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/**
 * One fault under load: several nodes send asks for one user, the store is hit by the fault and healed, and the results
 * are compared with the bounds of docs/operating.md.
 */
final class FaultRun {
    static final int NODES = 3;

    private static final int RATE = 300;
    private static final Duration OUTAGE = Duration.ofMillis(1_500);
    private static final int ENOUGH = 100;

    /** The time from the first node's return to the last one's. */
    private static final Duration RETURN = Duration.ofMillis(500);

    /**
     * The time until a silent store is given up. Until then, it may have counted what the nodes' shares also gave out.
     */
    private static final Duration GIVING_UP = Duration.ofMillis(1_100);

    private static final PolicySet POLICIES =
            Policy.setOf(Policy.named("api").limit(Limit.tokenBucket(RATE, Duration.ofSeconds(1)), "user"));

    private final String fault;
    private final List<GuardedNode> nodes;
    private final int hit;
    private final Request request;
    private int losses;

    /** @param hit the number of nodes, counted from the first, that cannot reach the store meanwhile */
    FaultRun(String fault, List<GuardedNode> nodes, int hit) {
        this(fault, nodes, hit, Request.of("user", "ann"));
    }

    FaultRun(String fault, List<GuardedNode> nodes, int hit, Request request) {
        this.fault = fault;
        this.nodes = nodes;
        this.hit = hit;
        this.request = request;
    }

    /** States that the fault makes the store lose all charges. */
    FaultRun losingState() {
        losses++;
        return this;
    }

    /** Returns a node with the policy of every run. */
    static GuardedNode node(String uri, ClientResources resources) {
        return new GuardedNode(uri, NODES, POLICIES, resources);
    }

    void survives(Runnable strike, Runnable heal) {
        Clock clock = Clock.system();
        long begin = clock.micros();
        nodes.forEach(node -> node.ask(request));
        await(() -> nodes.stream().allMatch(node -> node.byStore() > ENOUGH));

        strike.run();
        long struck = clock.micros();
        await(() -> clock.micros() - struck > OUTAGE.toMillis() * 1_000
                && nodes.subList(0, hit).stream().allMatch(node -> node.byFallback() > 0));
        heal.run();

        List<Long> before = nodes.stream().map(GuardedNode::byStore).toList();
        await(() -> {
            for (int i = 0; i < nodes.size(); i++) {
                if (nodes.get(i).byStore() < before.get(i) + ENOUGH) {
                    return false;
                }
            }
            return true;
        });
        for (GuardedNode node : nodes) {
            assertThat(stopped(node)).as("every caller is answered").isTrue();
            assertThat(node.thrown()).isNull();
        }

        long end = clock.micros();
        long allowed = nodes.stream().mapToLong(GuardedNode::allowed).sum();
        long nominal = RATE + refilled(end - begin);
        long most = nominal + over(end - struck);
        System.out.printf(
                "%-24s admitted %5d, nominal %5d, bound %5d, by fallback %d%n",
                fault,
                allowed,
                nominal,
                most,
                nodes.stream().mapToLong(GuardedNode::byFallback).sum());
        assertThat(allowed).isLessThanOrEqualTo(most);
    }

    /** Returns what the nodes together may admit beyond the limit, by the formula of docs/operating.md. */
    private long over(long outageMicros) {
        boolean storeServesOthers = hit < nodes.size();
        long cutOff = storeServesOthers ? hit * (RATE + refilled(outageMicros)) / nodes.size() : 0;
        long silent = hit * refilled(GIVING_UP.toMillis() * 1_000) / nodes.size();
        return (long) losses * RATE + cutOff + refilled(RETURN.toMillis() * 1_000) + silent;
    }

    private static long refilled(long micros) {
        return RATE * micros / 1_000_000;
    }

    static boolean stopped(GuardedNode node) {
        try {
            return node.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void await(Callable<Boolean> until) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(until);
    }
}
