package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.Clock;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.Resets;
import dev.penstock.spi.Scheduler;
import dev.penstock.spi.SharedNotes;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The fleet of nodes that share a Redis. Each node sends heartbeats, and learns from the replies how many nodes there
 * are and which accounts were reset. Thread-safe. It has no thread.
 */
final class RedisFleet implements Fleet {
    /**
     * The interval of heartbeats, and the time for which one counts.
     *
     * @param life long enough that some heartbeats may be lost
     */
    record Heartbeat(Duration every, Duration life) {
        static final Heartbeat DEFAULT = new Heartbeat(Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    /** The scripts for data that nodes share: {@code heartbeat.lua}, {@code reset.lua} and {@code notes.lua}. */
    record Scripts(ScriptRunner beat, ScriptRunner reset, ScriptRunner notes) {}

    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());
    private static final byte[] MARK = {'1'};
    private static final Duration FAREWELL = Duration.ofMillis(200);

    /** Longer than any node uses data that a reset has made wrong. */
    private static final Duration RESET_LIFE = Duration.ofSeconds(30);

    private final String name = randomName();
    private final RedisConnection connection;
    private final KeyNames names;
    private final Scripts scripts;
    private final Heartbeat heartbeat;
    private final Clock clock;
    private final AtomicBoolean joined = new AtomicBoolean();
    private final List<Consumer<Resets>> resetListeners = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> lastReset = new AtomicReference<>("");
    private volatile Supplier<String> self = () -> "";
    private volatile boolean left;
    private volatile int nodes;

    /** The last time at which at least {@link #nodes} nodes were counted. */
    private long confirmedMicros;

    RedisFleet(RedisConnection connection, KeyNames names, Scripts scripts, Heartbeat heartbeat, Clock clock) {
        this.connection = connection;
        this.names = names;
        this.scripts = scripts;
        this.heartbeat = heartbeat;
        this.clock = clock;
    }

    private static String randomName() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** Makes this process one of the nodes. A process that does not use the fleet is never counted. */
    RedisFleet join() {
        if (joined.compareAndSet(false, true)) {
            beat();
        }
        return this;
    }

    private void beat() {
        if (left) {
            return;
        }
        Scheduler.system().after(heartbeat.every, this::beat);
        List<String> arguments = List.of(name, Long.toString(heartbeat.life.toMillis()), introduction());
        List<String> keys = List.of(names.nodes(), names.resets(), names.announcements());
        CompletionStage<List<Object>> unused = scripts.beat.run(keys, arguments).whenComplete((answer, failure) -> {
            if (failure == null) {
                heard(Math.toIntExact((Long) answer.get(0)));
                heardReset(new String((byte[]) answer.get(1), UTF_8));
            } else {
                LOG.log(Level.DEBUG, "a heartbeat failed; the number of nodes stays at " + nodes, failure);
            }
        });
    }

    private String introduction() {
        try {
            return self.get();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the announcement of this node could not be created", e);
            return "";
        }
    }

    /**
     * Accepts a lower number only after Redis has reported it for as long as a heartbeat counts. A Redis that was
     * restarted empty first counts too few nodes, because their heartbeats arrive one after the other.
     */
    private synchronized void heard(int count) {
        long now = clock.micros();
        if (count >= nodes || now - confirmedMicros >= heartbeat.life.toMillis() * 1_000) {
            nodes = count;
            confirmedMicros = now;
        }
    }

    private void heardReset(String text) {
        String before = lastReset.getAndSet(text);
        if (!text.isEmpty() && !text.equals(before)) {
            Resets resets = ResetList.of(text).since(ResetList.of(before));
            resetListeners.forEach(listener -> listener.accept(resets));
        }
    }

    /** Announces a reset to all nodes. If a node does not hear of it in time, its cached data expires anyway. */
    void announce(Resets resets) {
        List<String> arguments =
                List.of(randomName(), ResetList.announced(resets), Long.toString(RESET_LIFE.toMillis()));
        CompletionStage<List<Object>> unused = scripts.reset
                .run(List.of(names.resets()), arguments)
                .whenComplete((number, failure) -> {
                    if (failure != null) {
                        LOG.log(Level.DEBUG, "a reset could not be announced", failure);
                    }
                });
    }

    @Override
    public void onReset(Consumer<Resets> listener) {
        resetListeners.add(listener);
    }

    @Override
    public SharedNotes notes(String kind) {
        return new RedisNotes(names.notes(Expect.text(kind, "kind")), scripts.notes, clock);
    }

    @Override
    public void announce(Supplier<String> text) {
        self = text;
    }

    @Override
    public String self() {
        return name;
    }

    @Override
    public CompletionStage<Map<String, String>> announcements() {
        try {
            RedisClusterAsyncCommands<String, byte[]> commands = connection.commands();
            return commands.zrange(names.nodes(), 0, -1)
                    .thenCombine(commands.hgetall(names.announcements()), RedisFleet::announcements);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static Map<String, String> announcements(List<byte[]> nodes, Map<String, byte[]> texts) {
        Map<String, String> all = new TreeMap<>();
        for (byte[] each : nodes) {
            String node = new String(each, UTF_8);
            byte[] text = texts.get(node);
            all.put(node, text == null ? "" : new String(text, UTF_8));
        }
        return all;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public CompletionStage<Duration> agreeOnReturn(Duration life) {
        return mark(names.returned(), life);
    }

    @Override
    public CompletionStage<Duration> agreeOnReturn(String shard, Duration life) {
        return mark(names.returned(ClusterShards.slotOf(shard)), life);
    }

    private CompletionStage<Duration> mark(String key, Duration life) {
        try {
            RedisClusterAsyncCommands<String, byte[]> commands = connection.commands();
            CompletionStage<String> marked =
                    commands.set(key, MARK, SetArgs.Builder.nx().px(life));
            return marked.thenCombine(
                    commands.pttl(key),
                    (unused, leftMillis) -> leftMillis < 0 ? Duration.ZERO : life.minusMillis(leftMillis));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /**
     * Removes this node from the fleet. If Redis does not answer, the node is dropped when its last heartbeat expires.
     */
    void leave() {
        left = true;
        if (!joined.get()) {
            return;
        }
        try {
            CompletionStage<Long> unused = connection.commands().hdel(names.announcements(), name);
            Long unusedCount = connection
                    .commands()
                    .zrem(names.nodes(), name.getBytes(UTF_8))
                    .toCompletableFuture()
                    .get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.log(Level.DEBUG, "this node could not be removed from the fleet", e);
        }
    }
}
