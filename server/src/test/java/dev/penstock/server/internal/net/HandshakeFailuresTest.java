package dev.penstock.server.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.ManualClock;
import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class HandshakeFailuresTest {
    private final ManualClock clock = new ManualClock();
    private final HandshakeFailures failures = new HandshakeFailures(clock);

    @Test
    void add_logsOncePerMinute_withTheNumberOfFailures() {
        try (LogLines log = LogLines.of(HandshakeFailures.class)) {
            for (int i = 0; i < 1_000; i++) {
                failures.add(new SSLHandshakeException("no certificate"));
            }
            clock.advance(Duration.ofMinutes(1));
            failures.add(new NotSslRecordException("not an SSL/TLS record: 47455420"));

            assertThat(log.all())
                    .containsExactly(
                            "WARNING tls: a handshake failed: no certificate",
                            "WARNING tls: a handshake failed, with 999 more since the last report: the client did not speak TLS");
        }
    }

    @Test
    void add_disconnectedClient_isNotLogged() {
        try (LogLines log = LogLines.of(HandshakeFailures.class)) {
            failures.add(new ClosedChannelException());

            assertThat(log.all()).isEmpty();
        }
    }
}
