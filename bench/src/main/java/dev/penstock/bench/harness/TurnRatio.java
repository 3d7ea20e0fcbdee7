package dev.penstock.bench.harness;

import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * A ratio within every turn of a contender, and its bound.
 *
 * @param figure computes the ratio of a turn
 */
public record TurnRatio(String ratio, String contender, ToDoubleFunction<Turn> figure, Wanted wanted) {
    Ratio of(Score score) {
        return new Ratio(
                ratio, wanted, score.turns().stream().map(figure::applyAsDouble).toList(), OptionalDouble.empty());
    }
}
