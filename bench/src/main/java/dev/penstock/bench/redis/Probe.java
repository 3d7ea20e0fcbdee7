package dev.penstock.bench.redis;

import dev.penstock.bench.harness.OverAStore;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Runs the turn of one contender in a separate JVM: creates every user, warms up, measures, and prints the turn.
 *
 * <p>Arguments: the case, the contender, the ports of Redis, and the number of warm-up and measured iterations.
 */
public final class Probe {
    /** One user in this many is created one at a time, while everything is cold. */
    private static final int COLD_SHARE = 20;

    private final Scenario scenario;
    private final Nodes nodes;
    private final Duration iteration;
    private final DecisionCounts decisions = new DecisionCounts();
    private final DecisionCounts pings = new DecisionCounts();

    Probe(Scenario scenario, Nodes nodes, Duration iteration) {
        this.scenario = scenario;
        this.nodes = nodes;
        this.iteration = iteration;
    }

    public static void main(String[] args) {
        Scenario scenario = Scenario.of(args[0]);
        Probe probe = new Probe(scenario, Nodes.parse(args[2]), Duration.ofSeconds(Settings.ITERATION_SECONDS));
        if (scenario.equals(Scenario.MEMORY)) {
            probe.fill(args[1]);
        } else {
            Settings.Length length = new Settings.Length(Integer.parseInt(args[3]), Integer.parseInt(args[4]));
            System.out.println(TurnText.write(probe.measure(args[1], length)));
        }
        probe.decisions.firstError().ifPresent(Throwable::printStackTrace);
        System.exit(0); // also stops threads that a contender leaves behind
    }

    /** Sends one request per user and nothing else. */
    void fill(String contender) {
        try (Decider decider = Deciders.open(contender, nodes.uri(), scenario)) {
            fill(decider);
        }
    }

    Turn measure(String contender, Settings.Length length) {
        List<Lettuce> aside =
                nodes.eachUri().stream().map(Lettuce::flushingEach).toList();
        try (Decider decider = Deciders.open(contender, nodes.uri(), scenario)) {
            return measure(decider, aside, length);
        } finally {
            aside.forEach(Lettuce::close);
        }
    }

    /**
     * Measures the load.
     *
     * @param aside connections to each server, separate from the measured ones
     */
    private Turn measure(Decider decider, List<Lettuce> aside, Settings.Length length) {
        fill(decider);
        if (scenario.arrival() == Scenario.Arrival.FLOOD) {
            warmUp(decider, length.warmupIterations());
        }
        RedisLoad load = load(decider, aside.get(0));
        load.start();
        iterate(length.warmupIterations());
        decisions.restart();
        pings.restart();
        Effort before = Effort.soFar(aside, decisions);
        List<Double> opsPerSecond = iterate(length.iterations());
        Effort spent = Effort.soFar(aside, decisions).since(before);
        Turn turn = turn(opsPerSecond, spent);
        load.stop();
        return turn;
    }

    /**
     * Warms up at the rate of the answers before the flood begins. Otherwise requests would pile up while code is
     * compiled, and the case would measure the JVM.
     */
    private void warmUp(Decider decider, int iterations) {
        RedisLoad gentle = new Threads(decider, () -> Traffic.drawn(scenario), scenario.inFlight(), decisions);
        gentle.start();
        iterate(iterations);
        gentle.stop();
    }

    /** Sends the first requests one by one, because everything is cold and Redis has no script yet. */
    private void fill(Decider decider) {
        AtomicInteger turn = new AtomicInteger();
        fill(decider, turn, scenario.users() / COLD_SHARE, 1);
        fill(decider, turn, scenario.users(), scenario.mostInFlight());
        if (decisions.answers() != scenario.users()) {
            throw new IllegalStateException(
                    "users known: " + decisions.answers() + " (expected: " + scenario.users() + ")",
                    decisions.firstError().orElse(null));
        }
    }

    private void fill(Decider decider, AtomicInteger turn, int users, int inFlight) {
        Lanes lanes =
                Lanes.ofFirstRequests(decider, () -> Traffic.everyone(scenario, turn, users), inFlight, decisions);
        lanes.start();
        lanes.awaitEnd();
    }

    private RedisLoad load(Decider decider, Lettuce aside) {
        Supplier<Traffic> traffic = () -> Traffic.drawn(scenario);
        return switch (scenario.arrival()) {
            case MANY_IN_FLIGHT, ONE_AT_A_TIME -> Lanes.of(decider, traffic, scenario.inFlight(), decisions);
            case FROM_THREADS -> new Threads(decider, traffic, scenario.inFlight(), decisions);
            case FLOOD, FLEET -> new FixedRate(decider, traffic.get(), scenario.fixedPerSecond(), decisions);
            case AT_A_PACE -> paced(decider, traffic.get(), aside);
        };
    }

    private RedisLoad paced(Decider decider, Traffic traffic, Lettuce aside) {
        Supplier<CompletionStage<Boolean>> decision = () -> {
            List<String> values = traffic.next();
            return values == null ? CompletableFuture.completedFuture(false) : decider.decide(values);
        };
        return new Paced(decision, decisions, aside, pings);
    }

    private List<Double> iterate(int times) {
        List<Double> opsPerSecond = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            long answersBefore = decisions.answers();
            long start = System.nanoTime();
            long end = start + iteration.toNanos();
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            opsPerSecond.add((decisions.answers() - answersBefore) / seconds);
        }
        return opsPerSecond;
    }

    private Turn turn(List<Double> opsPerSecond, Effort spent) {
        double answers = (double) spent.answers();
        OverAStore store = new OverAStore(
                decisions.latency(),
                scenario.arrival() == Scenario.Arrival.AT_A_PACE ? Optional.of(pings.latency()) : Optional.empty(),
                spent.storeNanos() / answers,
                spent.scripts() / answers,
                (double) spent.scriptMicros() / Math.max(1, spent.scripts()),
                decisions.errors() + pings.errors());
        return new Turn(
                opsPerSecond,
                spent.cpuNanos() / answers,
                spent.bytes() / answers,
                decisions.allowedShare(),
                Optional.of(store));
    }
}
