package dev.penstock.bench.soak;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The use of a resource early and late in a soak.
 *
 * @param early the median of the first third after the warm-up
 * @param late the median of the last third
 * @param most the bound for {@code late}: an eighth more than {@code early}, plus an allowance for fluctuation
 */
record Flatness(String what, long early, long late, long most) {
    static Flatness of(String what, List<Sample> samples, ToLongFunction<Sample> figure, long allowance) {
        List<Sample> warm = samples.subList(samples.size() / 10, samples.size());
        int third = Math.max(1, warm.size() / 3);
        long early = median(warm.subList(0, third), figure);
        long late = median(warm.subList(warm.size() - third, warm.size()), figure);
        return new Flatness(what, early, late, early + early / 8 + allowance);
    }

    boolean isFlat() {
        return late <= most;
    }

    private static long median(List<Sample> samples, ToLongFunction<Sample> figure) {
        return samples.stream()
                .mapToLong(figure)
                .sorted()
                .skip((samples.size() - 1) / 2)
                .findFirst()
                .orElse(0);
    }
}
