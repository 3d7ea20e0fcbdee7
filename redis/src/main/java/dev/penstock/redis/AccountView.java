package dev.penstock.redis;

import dev.penstock.LimitStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An account as an operator sees it.
 *
 * @param key its name in Redis
 * @param status what a request at the charge's cost would meet now; nothing was charged
 * @param permits how many permits hold something of it
 * @param forgottenAfter when Redis forgets it if nobody asks for it; null where nothing is kept
 */
public record AccountView(
        String key,
        LimitStatus status,
        long permits,
        @Nullable Duration forgottenAfter) {}
