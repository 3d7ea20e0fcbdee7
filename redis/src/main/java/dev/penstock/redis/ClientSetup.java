package dev.penstock.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisException;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the Redis client: threads, reconnects, timeouts, and at-most-once commands. A client that is not
 * connected rejects commands. A command that was in flight when a connection broke fails and is never sent again.
 */
final class ClientSetup {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration REFRESH_EVERY = Duration.ofSeconds(10);
    private static final Duration REFRESH_AT_MOST_EVERY = Duration.ofSeconds(1);
    private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofMillis(400);
    private static final int FIRST_RECONNECT_DELAY_MILLIS = 10;

    private ClientSetup() {}

    /**
     * Returns the threads and timers of a client.
     *
     * @param shared those of the application, which are not shut down with the client; null to create new ones
     * @param watch receives every channel, after the application's own customizer
     */
    static ClientResources resources(@Nullable ClientResources shared, Consumer<Channel> watch) {
        return shared == null
                ? watched(ownThreads(), null, watch)
                : watched(threadsOf(shared), shared.nettyCustomizer(), watch);
    }

    /** Reconnects after a random delay, so that the nodes do not all reconnect at once. */
    private static ClientResources.Builder ownThreads() {
        return ClientResources.builder()
                .reconnectDelay(Delay.fullJitter(
                        Duration.ZERO, LONGEST_RECONNECT_DELAY, FIRST_RECONNECT_DELAY_MILLIS, TimeUnit.MILLISECONDS));
    }

    /**
     * Returns a copy of the application's resources. Resources that are set like this are not shut down with the
     * client.
     */
    private static ClientResources.Builder threadsOf(ClientResources shared) {
        return shared.mutate()
                .eventLoopGroupProvider(shared.eventLoopGroupProvider())
                .eventExecutorGroup(shared.eventExecutorGroup())
                .commandLatencyRecorder(shared.commandLatencyRecorder())
                .timer(shared.timer());
    }

    private static ClientResources watched(
            ClientResources.Builder resources, @Nullable NettyCustomizer before, Consumer<Channel> watch) {
        return resources
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterBootstrapInitialized(Bootstrap bootstrap) {
                        if (before != null) {
                            before.afterBootstrapInitialized(bootstrap);
                        }
                    }

                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        if (before != null) {
                            before.afterChannelInitialized(channel);
                        }
                        watch.accept(channel);
                    }
                })
                .build();
    }

    /** Returns the options for one server, or for one that Sentinels watch. */
    static ClientOptions options(SslOptions ssl) {
        ClientOptions.Builder options = ClientOptions.builder();
        atMostOnce(options, ssl);
        return options.build();
    }

    static ClusterClientOptions clusterOptions(SslOptions ssl) {
        ClusterClientOptions.Builder options = ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH_EVERY)
                        .adaptiveRefreshTriggersTimeout(REFRESH_AT_MOST_EVERY)
                        .refreshTriggersReconnectAttempts(1)
                        .build());
        atMostOnce(options, ssl);
        return options.build();
    }

    private static void atMostOnce(ClientOptions.Builder options, SslOptions ssl) {
        options.sslOptions(ssl)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .keepAlive(true)
                        .build())
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(ClientSetup::failInsteadOfSendingLater);
    }

    /**
     * Fails a command that was not yet sent when the connection broke, instead of keeping it for the next connection.
     */
    private static boolean failInsteadOfSendingLater(RedisCommand<?, ?, ?> command) {
        command.completeExceptionally(new RedisException("disconnected before the command was sent"));
        return true;
    }
}
