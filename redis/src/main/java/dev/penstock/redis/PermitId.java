package dev.penstock.redis;

import io.lettuce.core.cluster.SlotHash;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The id of a permit, which nobody can guess: the engine's name, the slot of its record, and a random number.
 *
 * @param text the complete id
 */
record PermitId(String text, int slot) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 16;
    private static final Pattern FORM = Pattern.compile("([^-]+)-(\\d{1,5})-[0-9a-f]{" + 2 * BYTES + "}");

    /** Joins the ids of the parts of a permit that spans slots. */
    private static final String JOINT = "+";

    /** One part that reserves costs, and one that holds slots of a concurrency limit. */
    private static final int MOST_PARTS_A_SLOT = 2;

    static PermitId random(String engine, int slot) {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new PermitId(engine + "-" + slot + "-" + HexFormat.of().formatHex(bytes), slot);
    }

    /** Returns the id of a permit that consists of parts with these ids. */
    static String joint(List<String> ids) {
        return String.join(JOINT, ids);
    }

    /**
     * Returns the ids of the parts of a permit; none if the text cannot be an id of this engine. A permit has one part
     * per Cluster slot, or two if it also holds concurrency slots there. So it has no more parts than its request may
     * have charges, and no part twice.
     *
     * @param most the maximum number of parts
     */
    static List<PermitId> parse(String engine, String text, int most) {
        List<PermitId> all = new ArrayList<>();
        Map<Integer, Integer> partsOfSlots = new HashMap<>();
        for (String each : text.split("[" + JOINT + "]", most + 1)) {
            PermitId one = all.size() < most ? parseOne(engine, each) : null;
            if (one == null || all.contains(one) || partsOfSlots.merge(one.slot, 1, Integer::sum) > MOST_PARTS_A_SLOT) {
                return List.of();
            }
            all.add(one);
        }
        return all;
    }

    private static @Nullable PermitId parseOne(String engine, String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches() || !parts.group(1).equals(engine)) {
            return null;
        }
        int slot = Integer.parseInt(parts.group(2));
        return slot < SlotHash.SLOT_COUNT ? new PermitId(text, slot) : null;
    }
}
