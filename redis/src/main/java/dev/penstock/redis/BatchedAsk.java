package dev.penstock.redis;

import dev.penstock.Decision;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An ask in a batch, and the answer that its caller waits for. */
final class BatchedAsk {
    private final Ask ask;

    private final KeyNames names;

    /** The state keys of its charges, in their order. All are different. An only key is null until it is needed. */
    private final @Nullable String[] keys;

    /** The indexes of its charges, enforced ones first; null if the charges already have that order. */
    private final int @Nullable [] order;

    private final long sinceMicros;
    private final CompletableFuture<Decision> answer = new CompletableFuture<>();

    private BatchedAsk(Ask ask, KeyNames names, @Nullable String[] keys, int @Nullable [] order, long sinceMicros) {
        this.ask = ask;
        this.names = names;
        this.keys = keys;
        this.order = order;
        this.sinceMicros = sinceMicros;
    }

    /**
     * Returns the ask for a batch, or null if {@code batch.lua} cannot decide it. It can if all rules are simple, each
     * account is charged once, nothing is held, and there is no id.
     *
     * @param sinceMicros when its caller began to wait
     */
    static @Nullable BatchedAsk of(Ask ask, KeyNames names, long sinceMicros) {
        if (ask.size() == 0 || ask.size() > BatchLimits.MAX_CHARGES_PER_ASK || ask.hold() != null || ask.id() != null) {
            return null;
        }
        @Nullable String[] keys = new String[ask.size()];
        for (int i = 0; i < keys.length; i++) {
            if (!ask.charge(i).limit().rule().isSimple()) {
                return null;
            }
        }
        if (keys.length > 1 && !addDifferent(keys, ask, names)) {
            return null;
        }
        return new BatchedAsk(ask, names, keys, enforcedFirst(ask), sinceMicros);
    }

    /** Adds the key of each charge. Returns false if two are equal. */
    private static boolean addDifferent(@Nullable String[] keys, Ask ask, KeyNames names) {
        for (int i = 0; i < keys.length; i++) {
            String key = names.state(ask.charge(i));
            for (int k = 0; k < i; k++) {
                if (key.equals(keys[k])) {
                    return false;
                }
            }
            keys[i] = key;
        }
        return true;
    }

    private static int @Nullable [] enforcedFirst(Ask ask) {
        int enforced = 0;
        boolean inOrder = true;
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).isEnforced()) {
                inOrder &= enforced == i;
                enforced++;
            }
        }
        if (inOrder) {
            return null;
        }
        int[] order = new int[ask.size()];
        int first = 0;
        for (int i = 0; i < order.length; i++) {
            order[ask.charge(i).isEnforced() ? first++ : enforced++] = i;
        }
        return order;
    }

    Ask ask() {
        return ask;
    }

    String key(int i) {
        String key = keys[i];
        if (key == null) {
            key = names.state(ask.charge(i));
            keys[i] = key;
        }
        return key;
    }

    /**
     * Returns whether the other ask differs from this one in nothing that a script looks at. Both have one charge that
     * is made if it fits.
     */
    boolean isEqualTo(BatchedAsk other) {
        if (!isPlainCharge() || !other.isPlainCharge()) {
            return false;
        }
        Charge charge = ask.charge(0);
        Charge others = other.ask.charge(0);
        return charge.limit().rule() == others.limit().rule()
                && charge.cost() == others.cost()
                && charge.isEnforced() == others.isEnforced()
                && charge.key().equals(others.key())
                && Objects.equals(charge.colocation(), others.colocation());
    }

    private boolean isPlainCharge() {
        return ask.size() == 1
                && ask.purpose() == Ask.Purpose.DECIDE
                && ask.charge(0).cost() > 0;
    }

    /** Returns the index of the charge at a place in the order in which enforced charges come first. */
    int inOrder(int place) {
        return order == null ? place : order[place];
    }

    /** Returns whether its caller has given up waiting, so that it need not be sent. */
    boolean isOverdue(long nowMicros) {
        return ask.isOverdue(sinceMicros, nowMicros);
    }

    CompletableFuture<Decision> answer() {
        return answer;
    }
}
