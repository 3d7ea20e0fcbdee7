package dev.penstock.redis;

import io.lettuce.core.cluster.SlotHash;

/** Names that lie in a wanted slot of a Cluster, so that what belongs to an account can be kept beside it. */
final class Slots {
    /** Made when first used, which takes up to 80 ms in a cold JVM. */
    private static final class Tags {
        private static final String[] OF_SLOT = new String[SlotHash.SLOT_COUNT];

        static {
            int missing = OF_SLOT.length;
            for (int i = 0; missing > 0; i++) {
                String tag = Integer.toString(i, Character.MAX_RADIX);
                int slot = SlotHash.getSlot(tag);
                if (OF_SLOT[slot] == null) {
                    OF_SLOT[slot] = tag;
                    missing--;
                }
            }
        }
    }

    private Slots() {}

    static int of(String key) {
        return SlotHash.getSlot(key);
    }

    /** Makes what {@link #tag} needs, before somebody has to wait for it. */
    static void prepare() {
        String unused = Tags.OF_SLOT[0];
    }

    /** A short text that, in braces, puts a key into the slot. */
    static String tag(int slot) {
        return Tags.OF_SLOT[slot];
    }
}
