package dev.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.penstock.Clock;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaultProxyIT {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration IMPATIENCE = Duration.ofMillis(200);
    private static final int PIPELINED = 64;

    private final RedisServer server = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.to(server.port());

    @AfterEach
    void close() {
        proxy.close();
        server.close();
    }

    @Test
    void noFault_carriesBytesBothWays() throws IOException {
        String large = "x".repeat(1_000_000);
        try (RespConnection connection = open(PATIENCE)) {
            assertThat(connection.command("SET", "key", large)).isEqualTo("OK");
            assertThat(connection.command("GET", "key")).isEqualTo(large);
        }
    }

    @Test
    void noFault_serverKilled_disconnectsTheClient_andReachesTheNextServer() throws IOException {
        try (RespConnection connection = open(PATIENCE)) {
            assertThat(connection.command("PING")).isEqualTo("PONG");
            server.kill();
            assertThatThrownBy(connection::receive).isInstanceOf(EOFException.class);
        }
        try (RespConnection connection = open(PATIENCE)) {
            assertThatThrownBy(() -> connection.command("PING"))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
        }
        server.restart();
        assertHealthy();
    }

    @Test
    void noFault_clientLeaves_disconnectsFromTheServer() throws IOException {
        try (RespConnection connection = open(PATIENCE)) {
            connection.command("CLIENT", "SETNAME", "leaving");
            assertThat(server.command("CLIENT", "LIST")).contains("name=leaving");
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !server.command("CLIENT", "LIST").contains("name=leaving"));
    }

    @Test
    void silence_affectsExistingConnections() throws IOException {
        try (RespConnection old = open(IMPATIENCE)) {
            assertThat(old.command("PING")).isEqualTo("PONG");

            proxy.silence();

            assertThatThrownBy(() -> old.command("PING")).isInstanceOf(SocketTimeoutException.class);
            assertHealthy();
            assertThatThrownBy(old::receive).isInstanceOf(SocketTimeoutException.class);
            proxy.heal();
            assertThatThrownBy(old::receive)
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void leadTo_affectsNewConnections() throws IOException {
        try (RedisServer other = RedisServer.start();
                RespConnection old = open(PATIENCE)) {
            assertThat(old.command("SET", "where", "here")).isEqualTo("OK");
            other.command("SET", "where", "there");

            proxy.leadTo(other.port());

            assertThat(old.command("GET", "where")).isEqualTo("here");
            try (RespConnection next = open(PATIENCE)) {
                assertThat(next.command("GET", "where")).isEqualTo("there");
            }
        }
    }

    @Test
    void cut_closesConnections_andRefusesNewOnes_untilHealed() throws IOException {
        try (RespConnection connection = open(PATIENCE)) {
            assertThat(connection.command("PING")).isEqualTo("PONG");

            proxy.cut();
            assertThatThrownBy(connection::receive)
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
            assertThatThrownBy(() -> open(PATIENCE)).isInstanceOf(ConnectException.class);
        }
        proxy.heal();
        assertHealthy();
    }

    @Test
    void delay_holdsBackEveryChunk_bothWays() throws IOException {
        Duration delay = Duration.ofMillis(100);
        try (RespConnection connection = open(PATIENCE)) {
            proxy.delay(delay);
            long startMicros = Clock.system().micros();

            assertThat(connection.command("PING")).isEqualTo("PONG");

            assertThat(Clock.system().micros() - startMicros)
                    .isGreaterThanOrEqualTo(2 * delay.toNanos() / 1_000 - 1_000);
        }
    }

    @Test
    void delay_healed_letsHeldBytesFlowAtOnce() throws IOException {
        proxy.delay(Duration.ofHours(1));
        try (RespConnection connection = open(IMPATIENCE)) {
            assertThatThrownBy(() -> connection.command("PING")).isInstanceOf(SocketTimeoutException.class);

            proxy.heal();
            assertThat(connection.receive()).isEqualTo("PONG");
        }
    }

    @Test
    void delay_negative_isRefused() {
        assertThatThrownBy(() -> proxy.delay(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("delay: PT-1S (expected: >= 0)");
    }

    @Test
    void halfOpen_forwardsNothing_andClosesNothing() throws IOException {
        try (RespConnection before = open(IMPATIENCE)) {
            assertThat(before.command("PING")).isEqualTo("PONG");
            proxy.halfOpen();
            try (RespConnection during = open(IMPATIENCE)) {
                assertSilent(before, "SET", "before", "1");
                assertSilent(during, "SET", "during", "1");
                assertThat(server.command("DBSIZE")).isEqualTo("0");

                server.kill();
                assertSilent(before, "PING");
                assertSilent(during, "PING");
            }
        }
    }

    @Test
    void halfOpen_healed_closesConnectionsWithLostBytes_andKeepsTheOthers() throws IOException {
        try (RespConnection loser = open(IMPATIENCE);
                RespConnection other = open(PATIENCE)) {
            assertThat(loser.command("PING")).isEqualTo("PONG");
            assertThat(other.command("PING")).isEqualTo("PONG");
            proxy.halfOpen();
            assertSilent(loser, "PING");

            proxy.heal();

            assertThatThrownBy(loser::receive).isInstanceOf(EOFException.class);
            assertThat(other.command("PING")).isEqualTo("PONG");
        }
        assertHealthy();
    }

    @Test
    void dropReplies_letsRequestsThrough() throws IOException {
        try (RespConnection connection = open(IMPATIENCE)) {
            assertThat(connection.command("PING")).isEqualTo("PONG");
            proxy.dropReplies();
            assertSilent(connection, "INCR", "count");
            assertSilent(connection, "INCR", "count");
            assertThat(server.command("GET", "count")).isEqualTo("2");

            proxy.heal();
            assertThatThrownBy(connection::receive).isInstanceOf(EOFException.class);
        }
        assertHealthy();
    }

    @Test
    void dropReplies_newConnection_reachesTheServer() throws IOException {
        proxy.dropReplies();
        try (RespConnection connection = open(IMPATIENCE)) {
            assertSilent(connection, "INCR", "count");
            assertThat(server.command("GET", "count")).isEqualTo("1");
        }
    }

    @Test
    void close_refusesClients_andFaults() {
        proxy.close();
        proxy.close();

        assertThatThrownBy(() -> open(PATIENCE)).isInstanceOf(ConnectException.class);
        assertThatThrownBy(proxy::heal).hasMessageContaining("closed (expected: open)");
    }

    /**
     * A reply is the right one or missing, even if faults change meanwhile: no client gets the reply to another
     * request.
     */
    @Test
    void faults_switchedUnderLoad_neverMixUpReplies() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Long>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(threads.submit(() -> rightReplies(over)));
            }
            for (int i = 0; i < 100; i++) {
                proxy.dropReplies();
                server.command("PING");
                proxy.heal();
                assertHealthy();
                proxy.halfOpen();
                server.command("PING");
                proxy.delay(Duration.ofNanos(100_000));
                assertHealthy();
                proxy.cut();
                proxy.heal();
                assertHealthy();
            }
            over.set(true);
            for (Future<Long> client : clients) {
                assertThat(client.get()).isPositive();
            }
        } finally {
            over.set(true);
            threads.shutdown();
        }
    }

    private long rightReplies(AtomicBoolean over) {
        long right = 0;
        while (!over.get()) {
            try (RespConnection connection = open(IMPATIENCE)) {
                while (!over.get()) {
                    for (int i = 0; i < PIPELINED; i++) {
                        connection.send("ECHO", Long.toString(right + i));
                    }
                    for (int i = 0; i < PIPELINED; i++) {
                        assertThat(connection.receive()).isEqualTo(Long.toString(right + i));
                    }
                    right += PIPELINED;
                }
            } catch (IOException e) {
                // A fault: continue with another connection.
            }
        }
        return right;
    }

    private RespConnection open(Duration patience) throws IOException {
        return RespConnection.open(proxy.port(), patience);
    }

    private void assertHealthy() throws IOException {
        try (RespConnection connection = open(PATIENCE)) {
            assertThat(connection.command("PING")).isEqualTo("PONG");
        }
    }

    private static void assertSilent(RespConnection connection, String... args) {
        assertThatThrownBy(() -> connection.command(args)).isInstanceOf(SocketTimeoutException.class);
    }
}
