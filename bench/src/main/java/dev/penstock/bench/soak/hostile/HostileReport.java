package dev.penstock.bench.soak.hostile;

import dev.penstock.bench.harness.Json;
import dev.penstock.bench.harness.LinePlot;
import dev.penstock.bench.harness.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Writes the result of a hostile soak as a table, as JSON and as a plot. */
final class HostileReport {
    private final HostileResult result;
    private final HostileVerdict verdict;

    HostileReport(HostileResult result) {
        this.result = result;
        this.verdict = HostileVerdict.of(result);
    }

    boolean isGood() {
        return verdict.isGood();
    }

    String table() {
        StringBuilder text = new StringBuilder();
        add(
                text,
                "%d minutes, %d honest requests per second%n%n",
                result.length().toMinutes(),
                result.perSecond());
        add(text, "%-46s %16s  %s%n", "check", "measured", "bound");
        for (HostileVerdict.Check check : verdict.checks()) {
            String end = check.isGood() ? "" : "  NOT GOOD";
            add(text, "%-46s %16s  %s%s%n", check.what(), check.seen(), check.bound(), end);
        }
        add(
                text,
                "%n%-26s %8s %9s %9s %9s %7s %11s%n",
                "attack",
                "from",
                "turns",
                "answered",
                "cut",
                "busy",
                "unexpected");
        for (HostileResult.AttackResult attack : result.attacks()) {
            AttackCounts.Totals totals = attack.totals();
            add(
                    text,
                    "%-26s %5d:%02d %,9d %,9d %,9d %,7d %,11d%n",
                    attack.name(),
                    attack.second() / 60,
                    attack.second() % 60,
                    totals.turns(),
                    totals.answered(),
                    totals.cut(),
                    totals.busy(),
                    totals.unexpected());
            if (totals.firstUnexpected() != null) {
                add(text, "    first: %s%n", totals.firstUnexpected());
            }
        }
        latency(text);
        result.moments().stream().skip(Math.max(0, result.moments().size() - 1)).forEach(last -> {
            StoreSample store = last.store();
            add(
                    text,
                    "%nRedis used %.1f s of processor time and waited %.1f s for a processor; the host took %.1f s%n",
                    store.cpuSeconds(),
                    store.starvedSeconds(),
                    store.stolenSeconds());
        });
        if (result.firstBad() != null) {
            add(text, "%nthe first honest request that went wrong: %s%n", result.firstBad());
        }
        return text.toString();
    }

    private void latency(StringBuilder text) {
        long last = result.attacks().stream()
                .mapToLong(HostileResult.AttackResult::second)
                .max()
                .orElse(0);
        long first = result.attacks().stream()
                .mapToLong(HostileResult.AttackResult::second)
                .min()
                .orElse(0);
        add(text, "%n%-40s %10s %10s%n", "honest latency (median of intervals)", "p50", "p99");
        latency(text, "before the attacks", moments(0, first));
        latency(text, "with all attacks", moments(last, Long.MAX_VALUE));
    }

    private List<HostileMoment> moments(long from, long to) {
        return result.moments().stream()
                .filter(moment -> moment.second() > from && moment.second() <= to)
                .toList();
    }

    private static void latency(StringBuilder text, String when, List<HostileMoment> moments) {
        add(
                text,
                "%-40s %,7.1f ms %,7.1f ms%n",
                when,
                median(moments, moment -> moment.latency().p50Millis()),
                median(moments, moment -> moment.latency().p99Millis()));
    }

    private static double median(List<HostileMoment> moments, ToDoubleFunction<HostileMoment> figure) {
        double[] sorted = moments.stream().mapToDouble(figure).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    private static void add(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }

    /**
     * Returns the result as JSON.
     *
     * @param commit the commit of the source tree
     */
    String json(String commit, Machine machine) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("command", "./penstock soak --hostile");
        map.put("commit", commit);
        map.put("machine", machine.toString());
        map.put("minutes", result.length().toMinutes());
        map.put("honest_requests_per_second", result.perSecond());
        map.put("good", isGood());
        map.put("checks", verdict.checks().stream().map(HostileReport::json).toList());
        Map<String, Object> honest = new LinkedHashMap<>();
        result.honest().forEach((outcome, count) -> honest.put(outcome.name().toLowerCase(Locale.ROOT), count));
        map.put("honest", honest);
        map.put("attacks", result.attacks().stream().map(HostileReport::json).toList());
        map.put("moments", result.moments().stream().map(HostileReport::json).toList());
        return Json.text(map);
    }

    private static Map<String, Object> json(HostileVerdict.Check check) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("what", check.what());
        map.put("seen", check.seen());
        map.put("bound", check.bound());
        map.put("good", check.isGood());
        return map;
    }

    private static Map<String, Object> json(HostileResult.AttackResult attack) {
        AttackCounts.Totals totals = attack.totals();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", attack.name());
        map.put("from_second", attack.second());
        map.put("turns", totals.turns());
        map.put("answered", totals.answered());
        map.put("cut", totals.cut());
        map.put("busy", totals.busy());
        map.put("unexpected", totals.unexpected());
        return map;
    }

    private static Map<String, Object> json(HostileMoment moment) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("second", moment.second());
        map.put("p50_ms", moment.latency().p50Millis());
        map.put("p99_ms", moment.latency().p99Millis());
        List<Object> resident = new ArrayList<>();
        List<Object> threads = new ArrayList<>();
        List<Object> descriptors = new ArrayList<>();
        for (ServiceSample service : moment.services()) {
            resident.add(Math.round(service.residentMegabytes()));
            threads.add(service.threads());
            descriptors.add(service.descriptors());
        }
        map.put("resident_mib", resident);
        map.put("threads", threads);
        map.put("descriptors", descriptors);
        map.put("overloaded", sum(moment, ServiceSample::overloaded));
        map.put("redis_errors", sum(moment, ServiceSample::redisErrors));
        map.put("redis_mib", Math.round(moment.store().usedMegabytes() * 10) / 10.0);
        map.put("redis_keys", moment.store().keys());
        map.put("redis_cpu_seconds", moment.store().cpuSeconds());
        map.put("redis_starved_seconds", moment.store().starvedSeconds());
        map.put("stolen_seconds", Math.round(moment.store().stolenSeconds() * 10) / 10.0);
        return map;
    }

    private static double sum(HostileMoment moment, ToDoubleFunction<ServiceSample> figure) {
        return moment.services().stream().mapToDouble(figure).sum();
    }

    String svg() {
        List<LinePlot.Line> resident = new ArrayList<>();
        for (int i = 0; i < result.services().size(); i++) {
            int service = i;
            resident.add(line(
                    "service " + (i + 1),
                    moment -> moment.services().get(service).residentMegabytes()));
        }
        List<LinePlot.Panel> panels = List.of(
                new LinePlot.Panel(
                        "honest latency (ms)",
                        List.of(
                                line("p50", moment -> moment.latency().p50Millis()),
                                line("p99", moment -> moment.latency().p99Millis()))),
                new LinePlot.Panel("resident memory (MiB)", resident),
                new LinePlot.Panel(
                        "memory of Redis (MiB)",
                        List.of(line("Redis", moment -> moment.store().usedMegabytes()))));
        List<LinePlot.Mark> marks = result.attacks().stream()
                .map(attack -> new LinePlot.Mark(attack.second() / 60.0, attack.name()))
                .toList();
        return LinePlot.svg("penstock soak --hostile: honest clients among attackers", "minutes", panels, marks);
    }

    private LinePlot.Line line(String name, ToDoubleFunction<HostileMoment> figure) {
        List<LinePlot.Point> points = result.moments().stream()
                .map(moment -> new LinePlot.Point(moment.second() / 60.0, figure.applyAsDouble(moment)))
                .toList();
        return new LinePlot.Line(name, points);
    }
}
