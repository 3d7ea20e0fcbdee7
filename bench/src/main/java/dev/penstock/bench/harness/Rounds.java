package dev.penstock.bench.harness;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures a case: its contenders take turns, round after round, each turn in a fresh JVM.
 *
 * <p>Other activity on the machine therefore affects neighboring turns alike. Every other round runs in reverse order,
 * so that no contender always follows the same one.
 */
public final class Rounds {
    private final Settings settings;
    private final Progress progress;
    private final PrintStream log;

    public Rounds(Settings settings, Progress progress, PrintStream log) {
        this.settings = settings;
        this.progress = progress;
        this.log = log;
    }

    public List<Score> run(BenchCase benchCase) throws BenchFailure {
        Map<Contender, List<Turn>> turns = new LinkedHashMap<>();
        benchCase.contenders().forEach(contender -> turns.put(contender, new ArrayList<>()));
        for (int round = 0; round < settings.rounds(); round++) {
            List<Contender> inTurn = new ArrayList<>(benchCase.contenders());
            if (round % 2 == 1) {
                Collections.reverse(inTurn);
            }
            for (Contender contender : inTurn) {
                List<Turn> own = turns.get(contender);
                if (own != null && (round == 0 || contender.part() == Contender.Part.RATIO)) {
                    own.add(turn(benchCase, contender));
                }
            }
        }
        List<Score> scores = new ArrayList<>();
        turns.forEach((contender, own) -> scores.add(new Score(benchCase.name(), contender, own)));
        return scores;
    }

    /** Returns the total number of turns. */
    public static int count(List<BenchCase> cases, Settings settings) {
        return cases.stream().mapToInt(each -> each.turns(settings)).sum();
    }

    private Turn turn(BenchCase benchCase, Contender contender) throws BenchFailure {
        progress.begin(benchCase.name(), contender.name());
        Turn turn;
        try {
            turn = benchCase.measure().turn(contender, settings.of(contender.part()), log);
        } catch (BenchFailure e) {
            progress.done("failed");
            throw e;
        }
        progress.done(benchCase.measure().figure(turn));
        if (!benchCase.allowed().includes(turn.allowedShare())) {
            throw new BenchFailure(benchCase.name() + " " + contender.name() + ": share allowed " + turn.allowedShare()
                    + " (expected: " + benchCase.allowed() + "), so this turn does not measure the case");
        }
        return turn;
    }
}
