package dev.penstock.bench.redis;

import dev.penstock.bench.harness.Latency;
import dev.penstock.bench.harness.OverAStore;
import dev.penstock.bench.harness.Turn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats a turn as a line of numbers, for transfer between JVMs. */
final class TurnText {
    private TurnText() {}

    static String write(Turn turn) {
        OverAStore store = turn.overAStore();
        List<Double> numbers = new ArrayList<>(List.of(
                turn.cpuNanosPerOp(),
                turn.bytesPerOp(),
                turn.allowedShare(),
                store.storeNanosPerOp(),
                store.scriptsPerOp(),
                store.microsPerScript(),
                (double) store.errors(),
                store.latency().p50Micros(),
                store.latency().p99Micros(),
                store.ping().map(Latency::p50Micros).orElse(Double.NaN),
                store.ping().map(Latency::p99Micros).orElse(Double.NaN)));
        numbers.addAll(turn.opsPerSecond());
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    static Turn read(String text) {
        Iterator<Double> numbers =
                Arrays.stream(text.split(" ")).map(Double::valueOf).iterator();
        double cpuNanosPerOp = numbers.next();
        double bytesPerOp = numbers.next();
        double allowedShare = numbers.next();
        double storeNanosPerOp = numbers.next();
        double scriptsPerOp = numbers.next();
        double microsPerScript = numbers.next();
        long errors = numbers.next().longValue();
        Latency latency = new Latency(numbers.next(), numbers.next());
        Latency ping = new Latency(numbers.next(), numbers.next());
        List<Double> opsPerSecond = new ArrayList<>();
        numbers.forEachRemaining(opsPerSecond::add);
        return new Turn(
                opsPerSecond,
                cpuNanosPerOp,
                bytesPerOp,
                allowedShare,
                Optional.of(new OverAStore(
                        latency,
                        Optional.of(ping).filter(each -> !Double.isNaN(each.p50Micros())),
                        storeNanosPerOp,
                        scriptsPerOp,
                        microsPerScript,
                        errors)));
    }
}
