package dev.penstock.spi;

/**
 * Receives reports of the round trips of an engine to its store. Implementations are thread-safe and return quickly.
 * They may be called on any thread.
 */
public interface TripListener {
    /** A listener that does nothing. */
    TripListener NONE = new TripListener() {
        @Override
        public void onTrip(String shard, long micros) {}

        @Override
        public void onFailure(Kind kind) {}

        @Override
        public void onBatch(int asks) {}
    };

    /** The reason why a round trip failed. */
    enum Kind {
        /** No reply for a long time. */
        TIMEOUT,
        /** There was no connection, or it broke. */
        CONNECTION,
        /** The store cannot answer because it is loading, full, or a replica, or because it requires a password. */
        REFUSED,
        /** A script failed. */
        SCRIPT,
        /** Too few replicas acknowledged a charge in time. The store itself answered. */
        REPLICAS,
        OTHER
    }

    /**
     * Called when a round trip was answered, even with an error.
     *
     * @param shard the server that was asked
     * @param micros how long it took
     */
    void onTrip(String shard, long micros);

    /** Called when a round trip failed. */
    void onFailure(Kind kind);

    /**
     * Called when several asks are sent together.
     *
     * @param asks the number of asks
     */
    void onBatch(int asks);

    /**
     * Called every few seconds when a server of the store has reported its load. Does nothing by default.
     *
     * @param shard the server, named as in {@link #onTrip}
     * @param load the reported load
     */
    default void onLoad(String shard, StoreLoad load) {}
}
