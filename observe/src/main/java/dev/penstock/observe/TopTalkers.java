package dev.penstock.observe;

import java.util.List;

/**
 * The keys that occurred most often.
 *
 * @param talkers the first the most often
 * @param least how often one that is not among them may have occurred
 */
public record TopTalkers(List<Talker> talkers, long least) {
    static final TopTalkers NONE = new TopTalkers(List.of(), 0);

    public TopTalkers {
        talkers = List.copyOf(talkers);
    }

    /** The same with so many at most. */
    TopTalkers first(int most) {
        return talkers.size() <= most
                ? this
                : new TopTalkers(
                        talkers.subList(0, most),
                        Math.max(least, talkers.get(most).count()));
    }
}
