package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Settles ids of permits that are joined, repeated or invented. */
final class ForgedSettlements extends RepeatedAttack {
    private static final Pattern ID = Pattern.compile("\"permit\":\\{\"id\":\"([^\"]+)\"");
    private static final String BODY = HttpRequests.body(HostilePolicies.HOLD, "forger", ",\"hold_ms\":60000");
    private static final String COSTS = "{\"costs\":{\"requests\":1}}";
    private static final int JOINED = 64;

    private @Nullable String realId;
    private int turns;

    ForgedSettlements(List<Target> targets) {
        super("forged settlements", targets, 100);
    }

    @Override
    void turn(Target target) throws IOException {
        String id = realId;
        if (id == null) {
            RawConnection.Answer answer = ask(target.port(), HttpRequests.post("/v1/permits", BODY), 200, 429);
            Matcher matcher = ID.matcher(answer.body());
            realId = matcher.find() ? matcher.group(1) : null;
            counts().stored(1);
            return;
        }
        String joined = switch (turns++ / 2 % 3) {
            case 0 -> String.join("+", Collections.nCopies(JOINED, id));
            case 1 -> forged(id, JOINED);
            default -> forged(id, 1);
        };
        ask(target.port(), HttpRequests.post("/v1/permits/" + joined + "/settle", COSTS), 404, 410);
    }

    /** Returns ids of the right form that no engine issued. */
    private static String forged(String id, int count) {
        String prefix = id.substring(0, id.indexOf('-'));
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String random = UUID.randomUUID().toString().replace("-", "");
            ids.add(prefix + "-" + ThreadLocalRandom.current().nextInt(16_384) + "-" + random);
        }
        return String.join("+", ids);
    }
}
