package dev.penstock.bench.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Many nodes of one contender, each with its own connections, which are asked by turns. So two requests are hardly ever
 * at the same node at the same time, and none can be sent together. Thread-safe.
 */
final class BenchFleet implements Decider {
    private final List<Decider> nodes;
    private final AtomicInteger turn = new AtomicInteger();

    private BenchFleet(List<Decider> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    static BenchFleet open(int count, Supplier<Decider> node) {
        List<Decider> opened = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            opened.add(node.get());
        }
        return new BenchFleet(opened);
    }

    private Decider next() {
        return nodes.get(Math.floorMod(turn.getAndIncrement(), nodes.size()));
    }

    @Override
    public CompletionStage<Boolean> decide(List<String> values) {
        return next().decide(values);
    }

    @Override
    public CompletionStage<Boolean> decideFirst(List<String> values) {
        return next().decideFirst(values);
    }

    @Override
    public void flush() {
        nodes.forEach(Decider::flush);
    }

    @Override
    public void close() {
        nodes.forEach(Decider::close);
    }
}
