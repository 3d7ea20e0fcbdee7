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
 * The name of a permit, which nobody can guess: the engine's name, the slot in which its record lies, and a random number.
 *
 * @param text the whole of it
 */
record PermitId(String text, int slot) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 16;
    private static final Pattern FORM = Pattern.compile("([^-]+)-(\\d{1,5})-[0-9a-f]{" + 2 * BYTES + "}");

    /** Joins the ids of the permits of which one that spans slots consists. */
    private static final String JOINT = "+";

    /** One that reserves costs, and one that holds slots of a concurrency limit. */
    private static final int MOST_PARTS_A_SLOT = 2;

    static PermitId random(String engine, int slot) {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new PermitId(engine + "-" + slot + "-" + HexFormat.of().formatHex(bytes), slot);
    }

    /** The id of a permit that spans slots and consists of these. */
    static String joint(List<String> ids) {
        return String.join(JOINT, ids);
    }

    /**
     * The ids of which that of a permit consists; none where it cannot be one of this engine's. A permit has one part for each
     * slot, or two where it holds slots of a concurrency limit there; so no more than its request may have charges, and none
     * twice.
     *
     * @param most how many parts a permit may have
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
