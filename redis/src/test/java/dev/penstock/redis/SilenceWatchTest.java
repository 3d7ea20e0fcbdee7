package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Hold;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Terms;
import dev.penstock.testkit.server.FaultProxy;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SilenceWatchTest {
    private static final long LONGEST_MILLIS = SilenceWatch.LONGEST.toMillis();

    @Test
    void nothingAsked_mayBeSilentForEver() {
        EmbeddedChannel channel = channel();
        pass(channel, 100 * LONGEST_MILLIS);
        assertThat(channel.isOpen()).isTrue();
        ask(channel);
        answer(channel);
        pass(channel, 100 * LONGEST_MILLIS);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void askedAndNeverAnswered_isClosed() {
        EmbeddedChannel channel = channel();
        ask(channel);
        pass(channel, LONGEST_MILLIS - 1);
        assertThat(channel.isOpen()).isTrue();
        ask(channel);
        pass(channel, 1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void answeredNowAndThen_staysOpen() {
        EmbeddedChannel channel = channel();
        for (int i = 0; i < 100; i++) {
            ask(channel);
            pass(channel, LONGEST_MILLIS - 1);
            answer(channel);
            ask(channel);
        }
        assertThat(channel.isOpen()).isTrue();
        pass(channel, LONGEST_MILLIS);
        pass(channel, LONGEST_MILLIS);
        assertThat(channel.isOpen()).as("silent since").isFalse();
    }

    @Test
    void silentConnection_anotherTakesItsPlace() {
        Terms terms = Terms.of("p", Limit.tokenBucket(1_000, Duration.ofDays(1)));
        Ask shortWay = Ask.of(Charge.of(terms, Key.of("p", "k"), 1));
        Ask longWay = shortWay.hold(Hold.of(Duration.ofHours(1)));
        ClientResources shared = ClientResources.create();
        try (RedisServer redis = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(redis.port())) {
            String uri = "redis://127.0.0.1:" + proxy.port();
            for (RedisEngine.Builder builder : new RedisEngine.Builder[] {
                RedisEngine.at(uri), RedisEngine.at(uri).resources(shared)
            }) {
                try (RedisEngine engine = builder.build()) {
                    for (Ask ask : new Ask[] {shortWay, longWay}) {
                        assertThat(Asking.isAllowed(engine, ask)).isTrue();
                        int before = proxy.connections();
                        proxy.silence();
                        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Asking.isAllowed(engine, ask));
                        assertThat(proxy.connections())
                                .as("the old ones are still there")
                                .isGreaterThan(before);
                    }
                }
            }
        }
        shared.shutdown().awaitUninterruptibly();
    }

    private static EmbeddedChannel channel() {
        EmbeddedChannel channel = new EmbeddedChannel(new SilenceWatch());
        channel.freezeTime();
        return channel;
    }

    private static void ask(EmbeddedChannel channel) {
        channel.writeOutbound("a command");
    }

    private static void answer(EmbeddedChannel channel) {
        channel.writeInbound("a reply");
    }

    private static void pass(EmbeddedChannel channel, long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }
}
