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
 * The connection to Redis: one server, one that Sentinels watch, or a Cluster. Sends a command at most once (see {@link
 * ClientSetup}), and reconnects automatically. Thread-safe.
 */
final class RedisConnection implements Replicas.Servers, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());
    private static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    /** On a busy machine, a cold JVM takes seconds to connect, even to a Redis that answers at once. */
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
    private @Nullable CompletableFuture<StatefulRedisConnection<String, byte[]>> separate;
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

    /** Connects, or fails with a message of one line. */
    static RedisConnection open(
            RedisAddress address, Tls tls, @Nullable ClientResources resources, KeyNames names, TripEvidence evidence) {
        RedisConnection made = new RedisConnection(address, tls, resources, names, evidence);
        try {
            made.connectOrLearnWhyNot();
            return made;
        } catch (RuntimeException e) {
            made.close();
            throw new IllegalStateException(failure(address, e), e);
        }
    }

    /**
     * Connects. If the first attempt fails or takes long, keeps trying in the background, and every command fails until
     * it succeeds.
     */
    static RedisConnection openLater(
            RedisAddress address, Tls tls, @Nullable ClientResources resources, KeyNames names, TripEvidence evidence) {
        RedisConnection made = new RedisConnection(address, tls, resources, names, evidence);
        made.connecting.start(made::isConnected);
        made.connecting.awaitFirst(LONGEST_FIRST_ATTEMPT);
        return made;
    }

    /**
     * Connects, and tries once more if the connection was closed without a reason. Lettuce closes a connection when Redis
     * rejects its first command, and now and then reports only that it is closed.
     */
    private void connectOrLearnWhyNot() {
        try {
            connect();
        } catch (RuntimeException e) {
            if (!StartFailure.isWithoutReason(e)) {
                throw e;
            }
            connect();
        }
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
            Map<String, ServerInfo> primaries = PrimaryInfo.fetch(made, name).join();
            primaries.values().forEach(info -> info.expectFit(address.kind()));
            eviction.warnIfUnsafe(primaries);
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
        made.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> again, SocketAddress where) {
                CompletableFuture<Void> unused = PrimaryInfo.fetch(made, name).thenAccept(eviction::warnIfUnsafe);
            }
        });
        connection = made;
        commands = by;
    }

    /** Tries to connect and returns whether that succeeded. A failure is logged. */
    private boolean isConnected() {
        try {
            connect();
            return true;
        } catch (RuntimeException | Error e) {
            warnOnce(failure(address, e) + "; trying again");
            return false;
        }
    }

    /** Logs a text unless it was the last one logged here. */
    private void warnOnce(String text) {
        if (!text.equals(warned)) {
            warned = text;
            LOG.log(System.Logger.Level.WARNING, text);
        }
    }

    private static String failure(Object where, Throwable e) {
        return "redis at " + where + ": " + StartFailure.of(e);
    }

    /**
     * Disconnects from a server that became read-only. In a Cluster, the nodes redirect to the new primary without
     * help.
     */
    void noteFailure(Throwable failure) {
        if (!isCluster()) {
            readOnly.note(failure);
        }
    }

    boolean isCluster() {
        return address.kind() == RedisAddress.Kind.CLUSTER;
    }

    /**
     * Returns the commands of the connection.
     *
     * @throws NotCharged if there is no connection, so that nothing can have been sent
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

    /** Returns threads for callbacks, which handle no requests. */
    Executor callbacks() {
        return resources.eventExecutorGroup();
    }

    /** Returns the shards of a Cluster, or null if this is not a Cluster. */
    @Nullable
    ClusterShards shards() {
        return shards;
    }

    /** Returns the shard that a command goes to, by its first key; null if it has no key or no node has the slot. */
    private @Nullable String shardOf(RedisCommand<?, ?, ?> command) {
        ClusterShards several = shards;
        if (several == null) {
            return name;
        }
        CommandArgs<?, ?> arguments = command.getArgs();
        ByteBuffer key = arguments == null ? null : arguments.getFirstEncodedKey();
        return key == null ? null : several.shardOf(SlotHash.getSlot(key));
    }

    /** Returns the shard that has the key, as named in reports of round trips. */
    String shardOf(String key) {
        ClusterShards several = shards;
        String shard = several == null ? name : several.shardOf(Slots.of(key));
        return shard == null ? NOBODY : shard;
    }

    /** Returns the host and port of the server that has the key. With Sentinels, returns their address. */
    String serverOf(String key) {
        RedisClusterNode owner = isCluster() ? ownerOf(Slots.of(key)) : null;
        return owner != null ? PrimaryInfo.where(owner) : isCluster() ? NOBODY : name;
    }

    private @Nullable RedisClusterNode ownerOf(int slot) {
        return connection instanceof StatefulRedisClusterConnection<String, byte[]> cluster
                ? cluster.getPartitions().getPartitionBySlot(slot)
                : null;
    }

    /** Returns a separate connection, so that a command that waits does not delay others. It is opened on first use. */
    @Override
    public CompletionStage<StatefulRedisConnection<String, byte[]>> separateConnection(int slot) {
        if (connection instanceof StatefulRedisClusterConnection<String, byte[]> cluster) {
            RedisClusterNode node = ownerOf(slot);
            return node == null
                    ? CompletableFuture.failedStage(
                            new IllegalStateException("redis at " + address + ": no node has slot " + slot))
                    : cluster.getConnectionAsync(node.getNodeId());
        }
        if (client == null || connection == null) {
            return CompletableFuture.failedStage(notConnected());
        }
        synchronized (client) {
            CompletableFuture<StatefulRedisConnection<String, byte[]>> present = separate;
            if (present == null || present.isCompletedExceptionally()) {
                present = client.connectAsync(CODEC, address.uris().get(0)).toCompletableFuture();
                separate = present;
            }
            return present;
        }
    }

    /** Returns the number of replicas of each primary that reports it; empty while there is no connection. */
    CompletionStage<Map<String, Integer>> replicas() {
        return servers().thenApply(PrimaryInfo::replicas);
    }

    /**
     * Returns what each primary reports about itself, by address; empty while there is no connection. Warns if one of
     * them may evict counters: its settings may have changed, or the primary may be new.
     */
    CompletionStage<Map<String, ServerInfo>> servers() {
        StatefulConnection<String, byte[]> open = connection;
        if (open == null) {
            return CompletableFuture.completedStage(Map.of());
        }
        return PrimaryInfo.fetch(open, name).thenApply(reports -> {
            eviction.warnIfUnsafe(reports);
            return reports;
        });
    }

    /** Reads the topology again. Callers that ask while a refresh is in progress share its result. */
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
