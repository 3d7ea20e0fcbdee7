package dev.penstock;

/** Who made a decision. */
public enum DecidedBy {
    /** The place where the state lives: this process for the memory engine, Redis for the Redis engine. */
    STORE,
    /** Permits drawn ahead from the store. */
    LEASE,
    /** A cached denial of the store. */
    DENY_CACHE,
    /** The budget of new keys: see {@link NewKeyBudget}. */
    NEW_KEY_BUDGET,
    /** The policies' failure modes, because the store did not answer. */
    FALLBACK,
    /** A first layer in the process, before the store was asked. */
    FIRST_LAYER,
    /** The policies themselves, without counting: a list, or the default for what nothing matches. */
    POLICY,
    /** This process, without counting, because it is {@linkplain Denied.Reason#OVERLOADED overloaded}. */
    NODE
}
