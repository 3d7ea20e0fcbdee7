package dev.penstock.redis;

import dev.penstock.algorithm.Rule;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import java.util.Locale;
import java.util.function.ToIntBiFunction;

/**
 * An ask that is sent alone, to {@code bucket.lua} if it has one charge on a common token bucket, otherwise to {@code
 * request.lua}. Not thread-safe.
 */
final class SingleRequest implements PackedCall {
    private static final int ENFORCED = 1;
    private static final int PEEK = 2;
    private static final int NARROW = 1;
    private static final int WIDE = 3;

    private final BatchedAsk asked;
    private final int[] ids;
    private final boolean isNarrow;
    private final boolean isBucket;

    /** @param ruleIds returns the id of a rule in the states of a counter, see {@link RuleIds} */
    SingleRequest(BatchedAsk asked, ToIntBiFunction<String, Rule> ruleIds) {
        Ask ask = asked.ask();
        this.asked = asked;
        this.ids = new int[ask.size()];
        boolean narrow = true;
        for (int i = 0; i < ids.length; i++) {
            Charge charge = ask.charge(i);
            Rule rule = charge.limit().rule();
            ids[i] = ruleIds.applyAsInt(charge.key().counter(), rule);
            narrow &= PackedRule.isWithoutRest(rule);
        }
        this.isNarrow = narrow;
        this.isBucket = narrow
                && ids.length == 1
                && ids[0] != RuleIds.NONE
                && ask.purpose() == Ask.Purpose.DECIDE
                && ask.charge(0).isEnforced()
                && PackedRule.isForBucketScript(
                        ask.charge(0).limit().rule(), ask.charge(0).cost());
    }

    @Override
    public Target target() {
        return isBucket ? Target.BUCKET : Target.REQUEST;
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public String[] keys() {
        String[] keys = new String[ids.length];
        for (int place = 0; place < keys.length; place++) {
            keys[place] = asked.key(asked.inOrder(place));
        }
        return keys;
    }

    @Override
    public byte[] argument() {
        if (isBucket) {
            Charge charge = asked.ask().charge(0);
            return PackedRule.bucket(charge.limit().rule(), ids[0], charge.cost());
        }
        PackedNumbers.Writer all = new PackedNumbers.Writer(1 + ids.length * (8 + PackedRule.BYTES));
        all.put(isNarrow ? NARROW : WIDE, 1);
        int peek = asked.ask().purpose() == Ask.Purpose.PEEK ? PEEK : 0;
        for (int place = 0; place < ids.length; place++) {
            int i = asked.inOrder(place);
            Charge charge = asked.ask().charge(i);
            all.put((charge.isEnforced() ? ENFORCED : 0) | peek, 1).put(charge.cost(), 7);
            PackedRule.write(charge.limit().rule(), ids[i], all);
        }
        return all.bytes();
    }

    @Override
    public void read(byte[] reply, Listener listener) {
        new PackedReply(reply, isNarrow, listener).readAsk(asked);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s of %s", target(), asked.ask());
    }
}
