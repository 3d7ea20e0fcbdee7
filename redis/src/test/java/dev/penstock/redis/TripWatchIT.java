package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.TripObserver;
import dev.penstock.testkit.server.FaultProxy;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class TripWatchIT {
    private static final long MAX_SILENCE_MILLIS = TripWatch.MAX_SILENCE.toMillis();
    private static final long LATE_MILLIS = 100;
    private static final long TICK_MILLIS = TripWatch.TICK.toMillis();

    private final List<String> reports = new ArrayList<>();
    private final Deque<Command<String, String, String>> asked = new ArrayDeque<>();
    private final EmbeddedChannel channel = channel();

    private EmbeddedChannel channel() {
        TripEvidence evidence = new TripEvidence();
        evidence.reportTo(
                new TripObserver() {
                    @Override
                    public void answered(String shard) {
                        reports.add("answered by " + shard);
                    }

                    @Override
                    public void late(String shard) {
                        reports.add("late at " + shard);
                    }

                    @Override
                    public void failed(String shard, Throwable failure) {
                        reports.add("failed");
                    }
                },
                Duration.ofMillis(LATE_MILLIS));
        EmbeddedChannel made = new EmbeddedChannel(
                new TripWatch(evidence, command -> "s"),
                new ChannelInboundHandlerAdapter() { // replaces Lettuce's handler, which completes answered commands
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        Command<String, String, String> first = asked.remove();
                        if (message.equals("error")) {
                            first.getOutput().setError(ByteBuffer.wrap(new byte[] {'E'}));
                        }
                        first.complete();
                    }
                });
        made.freezeTime();
        return made;
    }

    private void ask(CommandType type) {
        Command<String, String, String> command = new Command<>(type, new StatusOutput<>(StringCodec.UTF8));
        asked.add(command);
        channel.writeOutbound(command);
    }

    private void ask() {
        ask(CommandType.EVALSHA);
    }

    private void answer() {
        channel.writeInbound("reply");
    }

    /** Lets time pass while the event loop runs. */
    private void pass(long millis) {
        for (long passed = 0; passed < millis; passed += TICK_MILLIS) {
            channel.advanceTimeBy(Math.min(TICK_MILLIS, millis - passed), TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    /** Lets time pass while the event loop is blocked. */
    private void stall(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    }

    @Test
    void script_answeredInTime_isReported() {
        ask();
        pass(LATE_MILLIS - TICK_MILLIS);
        answer();
        assertThat(reports).containsExactly("answered by s");
        pass(10 * LATE_MILLIS);
        assertThat(reports).hasSize(1);
    }

    @Test
    void script_notAnsweredInTime_isLateOnce() {
        ask();
        pass(LATE_MILLIS);
        assertThat(reports).isEmpty();
        pass(2 * TICK_MILLIS);
        assertThat(reports).containsExactly("late at s");
        pass(LATE_MILLIS);
        answer();
        assertThat(reports).hasSize(1);
    }

    @Test
    void batchOfCommands_eachIsATrip() {
        List<Command<String, String, String>> both = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            both.add(new Command<>(CommandType.EVAL, new StatusOutput<>(StringCodec.UTF8)));
        }
        asked.addAll(both);
        channel.writeOutbound(both);
        answer();
        answer();
        assertThat(reports).containsExactly("answered by s", "answered by s");
    }

    @Test
    void eventLoopDelayed_replyThatHasArrivedIsInTime() {
        ask();
        pass(20);
        stall(5_000);
        answer();
        assertThat(reports).containsExactly("answered by s");
    }

    @Test
    void eventLoopDelayed_timerRunsBeforeTheReply_isNotLate() {
        ask();
        pass(20);
        for (int i = 0; i < 10; i++) {
            stall(500);
            channel.runScheduledPendingTasks();
        }
        assertThat(reports).isEmpty();
        answer();
        assertThat(reports).hasSize(1);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void eventLoopDelayedRepeatedly_deadServerIsStillLate() {
        ask();
        for (int i = 0; i < 100; i++) {
            stall(50);
            channel.runScheduledPendingTasks();
            pass(TICK_MILLIS);
        }
        assertThat(reports).containsExactly("late at s");
    }

    @Test
    void errors_areNotReported() {
        ask();
        channel.writeInbound("error");
        assertThat(reports).isEmpty();
    }

    @Test
    void otherCommands_areNotReported() {
        ask(CommandType.HELLO);
        pass(10 * LATE_MILLIS);
        answer();
        assertThat(reports).isEmpty();
    }

    @Test
    void connectionThatWaitsForReplicas_isNoEvidence() {
        ask();
        answer();
        reports.clear();
        ask(CommandType.WAIT);
        ask();
        pass(10 * LATE_MILLIS);
        answer();
        answer();
        assertThat(reports).isEmpty();
    }

    @Test
    void nothingOutstanding_mayBeSilentForever() {
        pass(10 * MAX_SILENCE_MILLIS);
        assertThat(channel.isOpen()).isTrue();
        ask();
        answer();
        pass(10 * MAX_SILENCE_MILLIS);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void outstandingAndNeverAnswered_isClosed() {
        ask();
        pass(MAX_SILENCE_MILLIS - TICK_MILLIS);
        assertThat(channel.isOpen()).isTrue();
        ask();
        pass(2 * TICK_MILLIS);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void answeredOccasionally_staysOpen() {
        ask();
        for (int i = 0; i < 20; i++) {
            ask();
            pass(MAX_SILENCE_MILLIS - TICK_MILLIS);
            answer();
        }
        assertThat(channel.isOpen()).isTrue();
        pass(MAX_SILENCE_MILLIS + TICK_MILLIS);
        assertThat(channel.isOpen()).as("silent since").isFalse();
    }

    @Test
    void silentConnection_isReplaced() {
        LimitSettings settings = LimitSettings.of("p", Limit.tokenBucket(1_000, Duration.ofDays(1)));
        Ask shortWay = Ask.of(Charge.of(settings, Key.of("p", "k"), 1));
        Ask longWay = shortWay.hold(Hold.of(Duration.ofHours(1)));
        ClientResources shared = ClientResources.create();
        try (RedisServer redis = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(redis.port())) {
            String uri = "redis://127.0.0.1:" + proxy.port();
            for (RedisEngine.Builder builder : new RedisEngine.Builder[] {
                RedisEngine.builder(uri), RedisEngine.builder(uri).resources(shared)
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
}
