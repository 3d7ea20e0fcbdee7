package dev.penstock.engine;

import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Penstock;
import dev.penstock.Policy;
import dev.penstock.Request;
import java.time.Duration;

/** Started by {@link SmallHeapTest}: a process with a small heap whose clients invent users, permits and request ids. */
final class InventedKeysChild {
    private static final int CALLS = 150_000;

    private InventedKeysChild() {}

    public static void main(String[] args) {
        Policy policy = Policy.named("daily").limit(Limit.fixedWindow(1_000, Duration.ofDays(1)), "user");
        Hold hour = Hold.of(Duration.ofHours(1));
        int allowed = 0;
        try (Limiter limiter = Penstock.inMemory().policies(policy).build()) {
            for (int i = 0; i < CALLS; i++) {
                Request request = Request.of("user", "a-user-that-does-not-exist-" + i);
                allowed += limiter.decide(request.id("a-request-id-" + i)).isAllowed() ? 1 : 0;
                limiter.reserve(request, hour);
            }
        }
        System.out.println(allowed);
    }
}
