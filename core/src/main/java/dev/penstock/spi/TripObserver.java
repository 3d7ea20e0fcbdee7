package dev.penstock.spi;

/**
 * Receives the outcome of each round trip to the store, to judge whether the store is healthy.
 *
 * <p>A round trip is one command to one server of the store, no matter how many decisions it carries. Its time runs
 * from the moment the command is written until the reply arrives. Time that this process spends before or after that
 * (queues, a busy event loop, garbage collection) is no evidence against the store. Each round trip is reported at most
 * once.
 *
 * <p>Implementations are thread-safe and quick, because they are called on the threads that read the replies.
 */
public interface TripObserver {
    /**
     * Called when the server answered in time.
     *
     * @param shard the name of the {@linkplain Sharding shard}; if the store is in one place, the name of the server
     */
    void answered(String shard);

    /** Called when the server has not answered in time. The reply may still arrive, but is not reported again. */
    void late(String shard);

    /** Called when the round trip failed: there was no connection, it broke, or the server cannot do its work. */
    void failed(String shard, Throwable failure);
}
