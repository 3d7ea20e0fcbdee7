package dev.penstock.spi;

/** Watches the trips of an engine to its store. Called on whichever thread noticed; quick, and thread-safe. */
public interface TripListener {
    /** Watches nothing. */
    TripListener NONE = new TripListener() {
        @Override
        public void onTrip(String shard, long micros) {}

        @Override
        public void onFailure(Kind kind) {}

        @Override
        public void onBatch(int asks) {}
    };

    /** Why a trip brought no answer that could be used. */
    enum Kind {
        /** Nothing came back for a long time. */
        TIMEOUT,
        /** There was no connection, or it broke. */
        CONNECTION,
        /** The store is not in a state to answer: it loads, is full, asks for a password, is a replica. */
        REFUSED,
        /** What it was to run failed. */
        SCRIPT,
        /** Too few replicas confirmed a charge in time. The store itself answered. */
        REPLICAS,
        OTHER
    }

    /**
     * A trip was answered, be it with an error.
     *
     * @param shard the server that was asked, of those that the store is made of
     */
    void onTrip(String shard, long micros);

    void onFailure(Kind kind);

    /** So many asks set out together. */
    void onBatch(int asks);

    /**
     * A server of the store has reported its load. Called every few seconds; ignored by default.
     *
     * @param shard the server, named as in {@link #onTrip}
     */
    default void onLoad(String shard, StoreLoad load) {}
}
