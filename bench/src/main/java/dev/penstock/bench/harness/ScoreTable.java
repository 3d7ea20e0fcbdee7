package dev.penstock.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The columns in which scores are shown. Immutable. */
public final class ScoreTable {
    public static final ScoreTable IN_PROCESS = new ScoreTable(List.of(
            new Column("M ops/s", score -> Figures.millions(score.opsPerSecond())),
            new Column("+- error", score -> Figures.millions(score.error())),
            new Column("CPU ns/op", score -> Figures.whole(score.cpuNanosPerOp())),
            new Column("bytes/op", score -> Figures.whole(score.bytesPerOp())),
            new Column("allowed", score -> percent(score.allowedShare()))));

    public static final ScoreTable OVER_A_STORE = new ScoreTable(List.of(
            new Column("ops/s", score -> Figures.grouped(score.opsPerSecond())),
            new Column("+- error", score -> Figures.grouped(score.error())),
            new Column("p50 us", score -> Figures.whole(score.latency().p50Micros())),
            new Column("p99 us", score -> Figures.whole(score.latency().p99Micros())),
            new Column(
                    "PING p99",
                    score -> score.ping()
                            .map(ping -> Figures.whole(ping.p99Micros()))
                            .orElse("-")),
            new Column("CPU ns/op", score -> Figures.whole(score.cpuNanosPerOp())),
            new Column("bytes/op", score -> Figures.whole(score.bytesPerOp())),
            new Column("store ns/op", score -> Figures.whole(score.storeFigure(OverAStore::storeNanosPerOp))),
            new Column("scripts/op", score -> Figures.twoDigits(score.storeFigure(OverAStore::scriptsPerOp))),
            new Column("us/script", score -> Figures.twoDigits(score.storeFigure(OverAStore::microsPerScript))),
            new Column("allowed", score -> percent(score.allowedShare())),
            new Column("errors", score -> Long.toString(score.errors()))));

    /** Columns for services. Their latency is measured at half of the maximum rate. */
    public static final ScoreTable SERVED = new ScoreTable(List.of(
            new Column("ops/s", score -> Figures.grouped(score.opsPerSecond())),
            new Column("+- error", score -> Figures.grouped(score.error())),
            new Column("p50 us", score -> Figures.whole(score.latency().p50Micros())),
            new Column("p99 us", score -> Figures.whole(score.latency().p99Micros())),
            new Column("p99.9 us", score -> Figures.whole(score.latency().p999Micros())),
            new Column("CPU ns/op", score -> Figures.whole(score.cpuNanosPerOp())),
            new Column("bytes/op", score -> Figures.whole(score.bytesPerOp())),
            new Column("allowed", score -> percent(score.allowedShare())),
            new Column("errors", score -> Long.toString(score.errors()))));

    /** Columns that services and loops have in common. */
    public static final ScoreTable WATCHED = new ScoreTable(List.of(
            new Column("ops/s", score -> Figures.grouped(score.opsPerSecond())),
            new Column("+- error", score -> Figures.grouped(score.error())),
            new Column("CPU ns/op", score -> Figures.whole(score.cpuNanosPerOp())),
            new Column("bytes/op", score -> Figures.whole(score.bytesPerOp())),
            new Column("allowed", score -> percent(score.allowedShare()))));

    private record Column(String name, Function<Score, String> figure) {}

    private final List<Column> columns;

    private ScoreTable(List<Column> columns) {
        this.columns = columns;
    }

    /** Returns the column names, followed by a row per score. */
    List<List<String>> rows(List<Score> scores) {
        List<List<String>> rows = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of("case", "contender"));
        columns.forEach(column -> names.add(column.name()));
        rows.add(names);
        for (Score score : scores) {
            List<String> row =
                    new ArrayList<>(List.of(score.caseName(), score.contender().name()));
            columns.forEach(column -> row.add(column.figure().apply(score)));
            rows.add(row);
        }
        return rows;
    }

    private static String percent(double share) {
        return Figures.whole(share * 100) + " %";
    }
}
