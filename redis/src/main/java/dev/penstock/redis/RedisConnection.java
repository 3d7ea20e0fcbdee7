package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.spi.Ask;
import dev.penstock.spi.NotCharged;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection to Redis: one server, one that Sentinels watch, or a Cluster. Sends a command at most once, see
 * {@link ClientSetup}, and reconnects by itself. Thread-safe.
 */
final class RedisConnection implements Replicas.Servers, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());
    private static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    /** A cold JVM on a busy machine takes seconds to connect to a Redis that answers at once. */
    private static final Duration LONGEST_FIRST_ATTEMPT = Duration.ofSeconds(10);

    private static final String NOBODY = "none";

    private final RedisAddress address;
    private final String name;
    private final KeyNames names;
    private final ReadOnlyWatch readOnly;
    private final EvictionPolicy eviction = new EvictionPolicy();
    private final ClientResources resources;
    private final @Nullable RedisClient client;
    private final @Nullable RedisClusterClient clusterClient;
    private final @Nullable ClusterShards shards;
    private volatile @Nullable StatefulConnection<String, byte[]> connection;
    private volatile @Nullable RedisClusterAsyncCommands<String, byte[]> commands;
    private @Nullable CompletableFuture<StatefulRedisConnection<String, byte[]>> apart;
    private CompletableFuture<Void> refreshing = CompletableFuture.completedFuture(null);
    private final ConnectLoop connecting = new ConnectLoop();
    private volatile String warned = "";

    private RedisConnection(
            RedisAddress address, Tls tls, @Nullable ClientResources shared, KeyNames names, TripEvidence evidence) {
        this.names = names;
        this.address = address;
        this.name = address.toString();
        this.readOnly = new ReadOnlyWatch(name, Clock.system());
        SslOptions ssl = tls.optionsFor(address);
        resources = ClientSetup.resources(shared, channel -> {
            TripWatch.addTo(channel, evidence, this::shardOf);
            readOnly.add(channel);
        });
        if (address.kind() == RedisAddress.Kind.CLUSTER) {
            client = null;
            shards = new ClusterShards(
                    this::ownerOf, text -> PermitId.parse(RedisEngine.NAME, text, Ask.MOST_CHARGES), names);
            clusterClient = RedisClusterClient.create(resources, address.uris());
            clusterClient.setOptions(ClientSetup.clusterOptions(ssl));
        } else {
            clusterClient = null;
            shards = null;
            client = RedisClient.create(resources, address.uris().get(0));
            client.setOptions(ClientSetup.options(ssl));
        }
    }

    /** Connects. Fails with a message of one line if that is not possible. */
    static RedisConnection open(
            RedisAddress address, Tls tls, @Nullable ClientResources resources, KeyNames names, TripEvidence evidence) {
        RedisConnection made = new RedisConnection(address, tls, resources, names, evidence);
        try {
            made.connect();
            return made;
        } catch (RuntimeException e) {
            made.close();
            throw new IllegalStateException(failure(address, e), e);
        }
    }

    /** Connects, or goes on trying if a first attempt fails or takes long: until then every command fails. */
    static RedisConnection openLater(
            RedisAddress address, Tls tls, @Nullable ClientResources resources, KeyNames names, TripEvidence evidence) {
        RedisConnection made = new RedisConnection(address, tls, resources, names, evidence);
        made.connecting.start(made::isConnected);
        made.connecting.awaitFirst(LONGEST_FIRST_ATTEMPT);
        return made;
    }

    private void connect() {
        if (clusterClient != null) {
            StatefulRedisClusterConnection<String, byte[]> made = clusterClient.connect(CODEC);
            use(made, made.async(), () -> ClusterOpening.openEveryNode(made, names));
        } else if (client != null) {
            StatefulRedisConnection<String, byte[]> made = client.connect(CODEC);
            use(made, made.async(), () -> {});
        }
        if (connecting.isStopped()) {
            close();
        }
    }

    private void use(
            StatefulConnection<String, byte[]> made, RedisClusterAsyncCommands<String, byte[]> by, Runnable prepare) {
        try {
            prepare.run();
            Map<String, ServerInfo> told = PrimaryInfo.tell(made, name).join();
            told.values().forEach(info -> info.expectFit(address.kind()));
            eviction.warnIfUnsafe(told);
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
        made.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> again, SocketAddress where) {
                CompletableFuture<Void> unused = PrimaryInfo.tell(made, name).thenAccept(eviction::warnIfUnsafe);
            }
        });
        connection = made;
        commands = by;
    }

    /** Tries to connect; a failure is logged. */
    private boolean isConnected() {
        try {
            connect();
            return true;
        } catch (RuntimeException | Error e) {
            warnOnce(failure(address, e) + "; trying again");
            return false;
        }
    }

    /** Logs a text unless it was the last one. */
    private void warnOnce(String text) {
        if (!text.equals(warned)) {
            warned = text;
            LOG.log(System.Logger.Level.WARNING, text);
        }
    }

    private static String failure(Object where, Throwable e) {
        return "redis at " + where + ": " + StartFailure.of(e);
    }

    /** Disconnects from a server that turned read-only. In a Cluster the nodes redirect to the new primary by themselves. */
    void noteFailure(Throwable failure) {
        if (!isCluster()) {
            readOnly.note(failure);
        }
    }

    boolean isCluster() {
        return address.kind() == RedisAddress.Kind.CLUSTER;
    }

    /**
     * Sends commands.
     *
     * @throws NotCharged if there is no connection, so that it is certain that nothing is sent
     */
    RedisClusterAsyncCommands<String, byte[]> commands() {
        RedisClusterAsyncCommands<String, byte[]> present = commands;
        if (present == null) {
            throw notConnected();
        }
        StatefulConnection<String, byte[]> open = connection;
        if (open instanceof StatefulRedisConnection && !open.isOpen()) {
            throw notConnected();
        }
        return present;
    }

    /** Runs callbacks on threads that serve no request. */
    Executor callbacks() {
        return resources.eventExecutorGroup();
    }

    /** The shards of a Cluster; null if this is not a Cluster. */
    @Nullable
    ClusterShards shards() {
        return shards;
    }

    /** The shard that a command goes to, by its first key; null if it has no key or no node has the slot. */
    private @Nullable String shardOf(RedisCommand<?, ?, ?> command) {
        ClusterShards several = shards;
        if (several == null) {
            return name;
        }
        CommandArgs<?, ?> arguments = command.getArgs();
        ByteBuffer key = arguments == null ? null : arguments.getFirstEncodedKey();
        return key == null ? null : several.shardOf(SlotHash.getSlot(key));
    }

    /** The shard that has the key, as trips are reported. */
    String shardOf(String key) {
        ClusterShards several = shards;
        String shard = several == null ? name : several.shardOf(Slots.of(key));
        return shard == null ? NOBODY : shard;
    }

    /** The server that has the key: its host and port; with Sentinels, their address. */
    String serverOf(String key) {
        RedisClusterNode owner = isCluster() ? ownerOf(Slots.of(key)) : null;
        return owner != null ? PrimaryInfo.where(owner) : isCluster() ? NOBODY : name;
    }

    private @Nullable RedisClusterNode ownerOf(int slot) {
        return connection instanceof StatefulRedisClusterConnection<String, byte[]> cluster
                ? cluster.getPartitions().getPartitionBySlot(slot)
                : null;
    }

    /** A separate connection, so that a command that waits does not hold up others. Opened when first used. */
    @Override
    public CompletionStage<StatefulRedisConnection<String, byte[]>> apart(int slot) {
        if (connection instanceof StatefulRedisClusterConnection<String, byte[]> cluster) {
            RedisClusterNode node = ownerOf(slot);
            return node == null
                    ? CompletableFuture.failedStage(
                            new IllegalStateException("redis at " + address + ": nobody has slot " + slot))
                    : cluster.getConnectionAsync(node.getNodeId());
        }
        if (client == null || connection == null) {
            return CompletableFuture.failedStage(notConnected());
        }
        synchronized (client) {
            CompletableFuture<StatefulRedisConnection<String, byte[]>> present = apart;
            if (present == null || present.isCompletedExceptionally()) {
                present = client.connectAsync(CODEC, address.uris().get(0)).toCompletableFuture();
                apart = present;
            }
            return present;
        }
    }

    /** The number of replicas of each primary that reports it; empty while there is no connection. */
    CompletionStage<Map<String, Integer>> replicas() {
        return servers().thenApply(PrimaryInfo::replicas);
    }

    /** What each primary reports about itself, by its address; empty while there is no connection. */
    CompletionStage<Map<String, ServerInfo>> servers() {
        StatefulConnection<String, byte[]> open = connection;
        return open == null ? CompletableFuture.completedStage(Map.of()) : PrimaryInfo.tell(open, name);
    }

    /** Reads the topology again. Callers that ask while that is under way share the result. */
    @Override
    public CompletionStage<Void> refresh() {
        RedisClusterClient cluster = clusterClient;
        if (cluster == null) {
            return CompletableFuture.completedStage(null);
        }
        synchronized (cluster) {
            CompletableFuture<Void> present = refreshing;
            if (present.isDone()) {
                present = cluster.refreshPartitionsAsync().toCompletableFuture();
                refreshing = present;
            }
            return present;
        }
    }

    private NotCharged notConnected() {
        return NotCharged.noConnection("redis at " + address + ": not connected");
    }

    @Override
    public void close() {
        connecting.stop();
        StatefulConnection<String, byte[]> open = connection;
        if (open != null) {
            open.close();
        }
        if (client != null) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
        if (clusterClient != null) {
            clusterClient.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
        Future<Boolean> unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
