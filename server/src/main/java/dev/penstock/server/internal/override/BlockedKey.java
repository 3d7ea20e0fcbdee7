package dev.penstock.server.internal.override;

import dev.penstock.spi.Key;
import java.time.Instant;

/**
 * A key that an operator has blocked.
 *
 * @param policy the policy whose key it is
 * @param by the name of the operator
 */
public record BlockedKey(String policy, Key key, String by, Instant since, Instant until) {}
