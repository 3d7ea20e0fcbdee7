/**
 * The engine whose state many nodes share in Redis.
 *
 * <p>Entry point: {@link dev.penstock.redis.RedisEngine}.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Lettuce has no module descriptor
module dev.penstock.redis {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.core;
    requires transitive lettuce.core; // RedisEngine's builder takes Lettuce's ClientResources
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;

    // Lettuce needs these modules at runtime and cannot declare that without a descriptor.
    requires io.netty.resolver.dns;
    requires org.slf4j;

    exports dev.penstock.redis;

    provides dev.penstock.spi.StoreProvider with
            dev.penstock.redis.RedisStoreProvider;
}
