package dev.penstock.policy;

/**
 * How much a set of policies says.
 *
 * @param policies the default counts as one where it has limits
 */
public record PolicyCounts(int files, int policies, int limits, int plans, int tenants) {}
