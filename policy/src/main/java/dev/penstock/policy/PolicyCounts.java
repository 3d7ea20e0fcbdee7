package dev.penstock.policy;

/**
 * The size of a set of policies.
 *
 * @param policies the number of policies, including the default if it has limits
 */
public record PolicyCounts(int files, int policies, int limits, int plans, int tenants) {}
