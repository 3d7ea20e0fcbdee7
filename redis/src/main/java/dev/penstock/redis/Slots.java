package dev.penstock.redis;

import io.lettuce.core.cluster.SlotHash;

/** Names that are in a given slot of a Cluster, so that the data of an account can be kept in the account's slot. */
final class Slots {
    /** Created on first use, which takes up to 80 ms in a cold JVM. */
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

    /** Creates the data that {@link #tag} needs, so that no caller has to wait for it. */
    static void prepare() {
        String unused = Tags.OF_SLOT[0];
    }

    /** Returns a short text that puts a key into the slot if the key contains it in braces. */
    static String tag(int slot) {
        return Tags.OF_SLOT[slot];
    }
}
