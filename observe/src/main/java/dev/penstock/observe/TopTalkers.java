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
}
