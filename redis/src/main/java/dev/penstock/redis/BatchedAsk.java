package dev.penstock.redis;

import dev.penstock.Ask;
import dev.penstock.Decision;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An ask on its way in a batch, and the answer that its caller waits for.
 *
 * @param keys the states of its charges, in their order, each another one
 */
record BatchedAsk(Ask ask, List<String> keys, CompletableFuture<Decision> answer) {
    private static final int MOST_CHARGES = 32;

    /** The ask, if it may take the short way: simple rules, each account once, nothing held, nothing to remember. */
    static @Nullable BatchedAsk of(Ask ask, KeyNames names) {
        if (ask.size() == 0 || ask.size() > MOST_CHARGES || ask.hold() != null || ask.id() != null) {
            return null;
        }
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).limit().rule().simpleNumbers() == null) {
                return null;
            }
        }
        List<String> keys = ask.charges().stream().map(names::state).toList();
        boolean distinct = keys.size() == 1 || keys.stream().distinct().count() == keys.size();
        return distinct ? new BatchedAsk(ask, keys, new CompletableFuture<>()) : null;
    }

    String key(int i) {
        return keys.get(i);
    }

    int enforced() {
        int count = 0;
        for (int i = 0; i < ask.size(); i++) {
            count += ask.charge(i).isEnforced() ? 1 : 0;
        }
        return count;
    }
}
