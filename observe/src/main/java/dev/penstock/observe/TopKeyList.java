package dev.penstock.observe;

import java.util.List;

/**
 * The most frequent keys.
 *
 * @param topKeys the keys, most frequent first
 * @param least how often a key that is not listed may have occurred
 */
public record TopKeyList(List<TopKey> topKeys, long least) {
    static final TopKeyList NONE = new TopKeyList(List.of(), 0);

    public TopKeyList {
        topKeys = List.copyOf(topKeys);
    }

    /** Returns a list with at most this number of keys. */
    TopKeyList first(int most) {
        return topKeys.size() <= most
                ? this
                : new TopKeyList(
                        topKeys.subList(0, most),
                        Math.max(least, topKeys.get(most).count()));
    }
}
