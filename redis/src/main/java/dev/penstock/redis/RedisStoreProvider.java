package dev.penstock.redis;

import dev.penstock.spi.Engine;
import dev.penstock.spi.StoreOptions;
import dev.penstock.spi.StoreProvider;
import java.time.Duration;

/** Opens a {@link RedisEngine} for {@link dev.penstock.Penstock}. Stateless. */
public final class RedisStoreProvider implements StoreProvider {
    /** Creates the provider for {@link java.util.ServiceLoader}. */
    public RedisStoreProvider() {}

    @Override
    public boolean opens(String uri) {
        return uri.startsWith("redis");
    }

    @Override
    public Engine open(StoreOptions options) {
        RedisEngine.Builder builder =
                RedisEngine.builder(options.uri()).startWithoutRedis().listener(options.listener());
        String prefix = options.keyPrefix();
        if (prefix != null) {
            builder.prefix(prefix);
        }
        Duration rememberFor = options.rememberFor();
        if (rememberFor != null) {
            builder.rememberFor(rememberFor);
        }
        StoreOptions.TlsFiles tls = options.tls();
        return (tls == null ? builder : builder.tls(tls)).build();
    }
}
