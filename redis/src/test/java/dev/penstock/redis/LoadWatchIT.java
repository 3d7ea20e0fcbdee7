package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.spi.StoreLoad;
import dev.penstock.spi.TripListener;
import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class LoadWatchIT {
    private static final Duration A_LOOK = Duration.ofSeconds(10);
    private static final long MEGABYTE = 1 << 20;

    private final ManualClock clock = new ManualClock();
    private final Loads loads = new Loads();
    private String info = "";

    private final LoadWatch watch =
            new LoadWatch(() -> CompletableFuture.completedStage(Map.of("a:1", ServerInfo.of(info))), loads, clock);

    /** Keeps the last load of each server. */
    private static final class Loads implements TripListener {
        private final Map<String, StoreLoad> last = new ConcurrentHashMap<>();

        @Override
        public void onTrip(String shard, long micros) {}

        @Override
        public void onFailure(Kind kind) {}

        @Override
        public void onBatch(int asks) {}

        @Override
        public void onLoad(String shard, StoreLoad load) {
            last.put(shard, load);
        }
    }

    private static String info(long usedMegabytes, long maxMegabytes) {
        return "used_memory:" + usedMegabytes * MEGABYTE + "\r\nmaxmemory:" + maxMegabytes * MEGABYTE
                + "\r\ntotal_system_memory:" + 1_000 * MEGABYTE
                + "\r\nused_cpu_sys:1.250000\r\nused_cpu_user:2.000001\r\n";
    }

    private void look(long usedMegabytes, long maxMegabytes) {
        info = info(usedMegabytes, maxMegabytes);
        clock.advance(A_LOOK);
    }

    @Test
    void load_isReadEveryTenSeconds_untilItIsStopped() {
        info = info(1, 100);
        watch.start();
        assertThat(loads.last)
                .containsExactly(
                        Map.entry("a:1", new StoreLoad(MEGABYTE, 100 * MEGABYTE, StoreLoad.Bound.SETTING, 3_250_001)));

        look(2, 0);
        assertThat(loads.last)
                .containsExactly(Map.entry(
                        "a:1", new StoreLoad(2 * MEGABYTE, 1_000 * MEGABYTE, StoreLoad.Bound.MACHINE, 3_250_001)));

        watch.stop();
        look(3, 0);
        assertThat(loads.last.get("a:1").usedMemoryBytes()).isEqualTo(2 * MEGABYTE);
    }

    @Test
    void serverWithoutLoad_isNotReported() {
        watch.start();

        assertThat(loads.last).isEmpty();
    }

    @Test
    void highMemory_isWarnedAboutOncePerCrossing() {
        try (LogLines log = LogLines.of(LoadWatch.class)) {
            info = info(79, 100);
            watch.start();
            assertThat(log.all()).isEmpty();

            look(80, 100);
            look(95, 100);
            look(76, 100);
            look(81, 100);
            assertThat(log.all()).hasSize(1);
            assertThat(log.all().get(0))
                    .contains(
                            "redis at a:1: 80 of 100 MB are in use (80 % of maxmemory); a full Redis refuses charges");

            look(74, 100);
            look(81, 100);
            assertThat(log.all()).hasSize(2);
        }
    }

    @Test
    void missingMaxmemory_isWarnedAboutOnce() {
        try (LogLines log = LogLines.of(LoadWatch.class)) {
            info = info(1, 0);
            watch.start();
            look(2, 0);
            look(3, 0);

            assertThat(log.all()).hasSize(1);
            assertThat(log.all().get(0)).contains("redis at a:1: maxmemory is not set");
        }
    }

    @Test
    void realServers_reportTheirLoad() {
        try (RedisServer bounded = RedisServer.start("--maxmemory", "100mb");
                RedisServer unbounded = RedisServer.start();
                RedisEngine one =
                        RedisEngine.builder(bounded.uri()).listener(loads).build();
                RedisEngine other =
                        RedisEngine.builder(unbounded.uri()).listener(loads).build()) {
            assertThat(one.name()).isEqualTo(other.name());
            await().until(() -> loads.last.size() == 2);

            StoreLoad first = loadOf(bounded);
            StoreLoad second = loadOf(unbounded);
            assertThat(first.maxMemoryBytes()).isEqualTo(100 * MEGABYTE);
            assertThat(first.bound()).isEqualTo(StoreLoad.Bound.SETTING);
            assertThat(second.bound()).isEqualTo(StoreLoad.Bound.MACHINE);
            assertThat(List.of(first, second)).allSatisfy(load -> {
                assertThat(load.usedMemoryBytes()).isPositive().isLessThan(load.maxMemoryBytes());
                assertThat(load.cpuMicros()).isPositive();
            });
        }
    }

    private StoreLoad loadOf(RedisServer server) {
        return loads.last.entrySet().stream()
                .filter(each -> each.getKey().contains(String.valueOf(server.port())))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }
}
