package dev.penstock.spi;

/**
 * Learns how each trip to the store went, so that it can judge whether the store is healthy.
 *
 * <p>A trip is one command to one server of the store, whether it carries one decision or a hundred. Its time runs from the
 * moment the command is written until the reply arrives. Time that this process spends before or after that is no evidence
 * against the store: queues, a starved event loop, a pause for garbage collection. Each trip is reported once, at most.
 *
 * <p>Implementations are thread-safe and quick: they are called on the threads that read the replies.
 */
public interface TripObserver {
    /**
     * The server answered in time.
     *
     * @param shard the name of the {@linkplain Sharding shard}; of a store in one place, that of the server
     */
    void answered(String shard);

    /** The server has not answered in time. The reply may still come; it is not reported again. */
    void late(String shard);

    /** The trip failed: there was no connection, it broke, or the server is not able to do its work. */
    void failed(String shard, Throwable failure);
}
