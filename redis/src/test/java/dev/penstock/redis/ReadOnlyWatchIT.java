package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.FaultProxy;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisReadOnlyException;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadOnlyWatchIT {
    private final ManualClock clock = new ManualClock();
    private final ReadOnlyWatch watch = new ReadOnlyWatch("here", clock);
    private final Throwable readOnly = new CompletionException(new RedisReadOnlyException("READONLY You can't write"));

    @Test
    void readOnly_closesEveryConnection() {
        EmbeddedChannel one = channel();
        EmbeddedChannel other = channel();
        watch.note(readOnly);
        assertThat(one.isOpen()).isFalse();
        assertThat(other.isOpen()).isFalse();
    }

    @Test
    void otherErrors_closeNothing() {
        EmbeddedChannel one = channel();
        watch.note(new RedisCommandExecutionException("OOM command not allowed"));
        watch.note(new IllegalStateException("READONLY"));
        assertThat(one.isOpen()).isTrue();
    }

    @Test
    void readOnlyAgain_closesNewConnectionsOnlyAfterAWhile() {
        watch.note(readOnly);
        EmbeddedChannel next = channel();
        clock.advance(ReadOnlyWatch.AT_MOST_EVERY.minusNanos(1_000));
        watch.note(readOnly);
        assertThat(next.isOpen()).isTrue();
        clock.advance(Duration.ofNanos(1_000));
        watch.note(readOnly);
        assertThat(next.isOpen()).isFalse();
    }

    /**
     * Imitates a name that leads to another server after a failover, while the old server, now a replica, keeps its
     * connections open.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void primaryDemoted_engineContinuesAtItsSuccessor(boolean isHeld) {
        LimitSettings settings = LimitSettings.of("p", Limit.tokenBucket(1_000_000, Duration.ofDays(1)));
        Ask plain = Ask.of(Charge.of(settings, Key.of("p", "k"), 1));
        Ask ask = isHeld ? plain.hold(Hold.of(Duration.ofHours(1))) : plain;
        try (RedisServer first = RedisServer.start();
                RedisServer second = RedisServer.start();
                FaultProxy name = FaultProxy.to(first.port());
                LogLines log = LogLines.of(RedisEngine.class);
                RedisEngine engine =
                        RedisEngine.builder("redis://127.0.0.1:" + name.port()).build()) {
            assertThat(Asking.isAllowed(engine, ask)).isTrue();
            name.leadTo(second.port());
            assertThat(Asking.isAllowed(engine, ask))
                    .as("on the existing connection")
                    .isTrue();
            assertThat(second.command("DBSIZE")).isEqualTo("0");
            first.command("REPLICAOF", "127.0.0.1", Integer.toString(second.port()));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Asking.isAllowed(engine, ask));
            assertThat(second.command("DBSIZE")).isNotEqualTo("0");
            assertThat(log.with("read-only"))
                    .containsExactly("WARNING redis at 127.0.0.1:" + name.port()
                            + ": read-only (expected: a primary); reconnecting");
        }
    }

    private EmbeddedChannel channel() {
        EmbeddedChannel channel = new EmbeddedChannel();
        watch.add(channel);
        return channel;
    }
}
