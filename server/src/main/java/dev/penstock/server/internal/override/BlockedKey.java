package dev.penstock.server.internal.override;

import dev.penstock.spi.Key;
import java.time.Instant;

/**
 * A key that somebody has blocked by hand.
 *
 * @param policy whose key it is
 * @param by who did it
 */
public record BlockedKey(String policy, Key key, String by, Instant since, Instant until) {}
