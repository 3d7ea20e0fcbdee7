package dev.penstock.bench.redis;

import dev.penstock.bench.load.BenchKeyText;
import dev.penstock.bench.load.Draw;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** One caller's requests, each as the values of its accounts in new strings. Not thread-safe. */
final class Traffic {
    private final List<BenchAccount> accounts;
    private final List<BenchKeyText> texts = new ArrayList<>();
    private final IntSupplier numbers;

    private Traffic(List<BenchAccount> accounts, IntSupplier numbers) {
        this.accounts = accounts;
        this.numbers = numbers;
        accounts.forEach(account -> texts.add(account.text()));
    }

    /** Endless traffic as the scenario defines it. */
    static Traffic drawn(Scenario scenario) {
        Draw draw = new Draw();
        int bound = scenario.requests();
        return new Traffic(
                scenario.accounts(),
                scenario.skew() == Scenario.Skew.ZIPF ? () -> draw.zipfBelow(bound) : () -> draw.below(bound));
    }

    /**
     * One request per user, up to a number of users.
     *
     * @param turn counts the users that any of the callers has taken
     */
    static Traffic everyone(Scenario scenario, AtomicInteger turn, int users) {
        return new Traffic(scenario.accounts(), () -> {
            int next = turn.getAndUpdate(taken -> Math.min(taken + 1, users));
            return next < users ? next : -1;
        });
    }

    /** Returns the values of the next request; null after the last one. */
    @Nullable
    List<String> next() {
        int number = numbers.getAsInt();
        if (number < 0) {
            return null;
        }
        if (texts.size() == 1) {
            return List.of(texts.get(0).of(accounts.get(0).index(number)));
        }
        List<String> values = new ArrayList<>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            values.add(texts.get(i).of(accounts.get(i).index(number)));
        }
        return values;
    }
}
