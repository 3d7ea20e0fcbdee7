package dev.penstock.bench.soak.hostile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Judges a hostile soak.
 *
 * @param checks the checks, each with a measurement and its bound
 */
record HostileVerdict(List<Check> checks) {
    /** One measurement, its bound, and the verdict. */
    record Check(String what, String seen, String bound, boolean isGood) {}

    /** The share of honest requests that may be answered as overloaded, in percent. */
    static final double OVERLOADED_PERCENT = 1;

    /** Direct memory and compiled code, by the flags of {@code ./penstock serve}, plus the rest of a JVM. */
    static final double BESIDE_HEAP_MEGABYTES = 128 + 96 + 128;

    static final double STORE_BASE_MEGABYTES = 64;
    static final double STORE_KILOBYTES_PER_RECORD = 1;

    /** The default deadline. A longer command would make other decisions fall back. */
    static final long LONGEST_COMMAND_MILLIS = 100;

    static final Duration ANSWER = Duration.ofSeconds(2);

    /** The default {@code drain.at_most}, plus a margin for a busy machine. */
    static final Duration SHUTDOWN = Duration.ofSeconds(10 + 5);

    HostileVerdict {
        checks = List.copyOf(checks);
    }

    static HostileVerdict of(HostileResult result) {
        List<Check> checks = new ArrayList<>();
        honest(result, checks);
        for (int i = 0; i < result.services().size(); i++) {
            service("service " + (i + 1), result, i, checks);
        }
        store(result, checks);
        long unexpected = result.attacks().stream()
                .mapToLong(attack -> attack.totals().unexpected())
                .sum();
        checks.add(none("undocumented answers to attackers", unexpected));
        long idle = result.attacks().stream()
                .filter(attack -> attack.totals().answered() + attack.totals().cut() == 0)
                .count();
        checks.add(none("attacks without any effect", idle));
        return new HostileVerdict(checks);
    }

    private static void honest(HostileResult result, List<Check> checks) {
        long errors = result.honest(HonestOutcome.ERROR) + result.honest(HonestOutcome.UNSENT);
        checks.add(none("honest requests: errors", errors));
        checks.add(none("honest requests: wrong denials", result.honest(HonestOutcome.DENIED)));
        checks.add(none("honest requests: decided by fallback", result.honest(HonestOutcome.FALLBACK)));
        double percent = 100.0 * result.honest(HonestOutcome.OVERLOADED) / Math.max(1, result.honestTotal());
        checks.add(atMost("honest requests: overloaded", percent, OVERLOADED_PERCENT, "%"));
    }

    private static void service(String name, HostileResult result, int index, List<Check> checks) {
        ServiceEnd end = result.services().get(index);
        checks.add(new Check(name + ": running at the end", end.isAlive() ? "yes" : "no", "yes", end.isAlive()));
        checks.add(none(name + ": entered fallback", (long) highest(result, index, ServiceSample::fallbackEntries)));
        checks.add(none(name + ": milliseconds in fallback", (long)
                (1_000 * highest(result, index, ServiceSample::fallbackSeconds))));
        checks.add(none(name + ": changed without a token", end.isChanged() ? 1 : 0));
        double memory = end.maxHeapMegabytes() + BESIDE_HEAP_MEGABYTES;
        checks.add(atMost(name + ": peak resident memory", end.peakResidentMegabytes(), memory, "MiB"));
        checks.add(atMost(name + ": answer time at the end", seconds(end.answer()), seconds(ANSWER), "s"));
        checks.add(atMost(name + ": shutdown after SIGTERM", seconds(end.shutdown()), seconds(SHUTDOWN), "s"));
    }

    private static double highest(HostileResult result, int index, ToDoubleFunction<ServiceSample> figure) {
        return result.moments().stream()
                .mapToDouble(moment -> figure.applyAsDouble(moment.services().get(index)))
                .max()
                .orElse(0);
    }

    private static void store(HostileResult result, List<Check> checks) {
        double memory = result.moments().stream()
                .mapToDouble(moment -> moment.store().usedMegabytes())
                .max()
                .orElse(0);
        double bound = STORE_BASE_MEGABYTES + result.stored() * STORE_KILOBYTES_PER_RECORD / 1_024;
        checks.add(atMost("Redis: memory", memory, bound, "MiB"));
        long longest = result.longestCommandMillis();
        String seen = longest == 0 ? "below " + SoakStore.SLOW_MILLIS + " ms" : longest + " ms";
        checks.add(new Check(
                "Redis: longest command",
                seen,
                "at most " + LONGEST_COMMAND_MILLIS + " ms",
                longest <= LONGEST_COMMAND_MILLIS));
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1e3;
    }

    private static Check none(String what, long seen) {
        return new Check(what, String.format(Locale.ROOT, "%,d", seen), "0", seen == 0);
    }

    private static Check atMost(String what, double seen, double bound, String unit) {
        return new Check(
                what,
                String.format(Locale.ROOT, "%.2f %s", seen, unit),
                String.format(Locale.ROOT, "at most %.2f %s", bound, unit),
                seen <= bound);
    }

    boolean isGood() {
        return checks.stream().allMatch(Check::isGood);
    }
}
