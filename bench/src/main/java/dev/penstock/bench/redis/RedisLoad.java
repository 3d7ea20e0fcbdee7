package dev.penstock.bench.redis;

/** A stream of requests until it is stopped. */
interface RedisLoad {
    void start();

    /** Stops sending and waits for outstanding answers. */
    void stop();
}
