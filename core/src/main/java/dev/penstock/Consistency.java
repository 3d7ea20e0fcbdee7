package dev.penstock;

/** How a limit is kept across nodes. The limit is never exceeded under either. */
public enum Consistency {
    /** Every decision is the store's. */
    STRICT,
    /** A node may draw permits ahead and spend them in its own memory, where a key is hot. */
    LEASED
}
