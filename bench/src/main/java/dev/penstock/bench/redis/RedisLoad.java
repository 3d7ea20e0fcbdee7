package dev.penstock.bench.redis;

/** Requests that go on until they are stopped. */
interface RedisLoad {
    void start();

    /** Asks for no more, and waits for the answers that are still to come. */
    void stop();
}
