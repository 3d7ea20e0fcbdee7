package dev.penstock.observe;

import java.util.List;

/**
 * The keys that occurred most often.
 *
 * @param topKeys the first the most often
 * @param least how often one that is not among them may have occurred
 */
public record TopKeyList(List<TopKey> topKeys, long least) {
    static final TopKeyList NONE = new TopKeyList(List.of(), 0);

    public TopKeyList {
        topKeys = List.copyOf(topKeys);
    }

    /** The same with so many at most. */
    TopKeyList first(int most) {
        return topKeys.size() <= most
                ? this
                : new TopKeyList(
                        topKeys.subList(0, most),
                        Math.max(least, topKeys.get(most).count()));
    }
}
