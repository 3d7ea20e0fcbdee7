package dev.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisServerIT {
    private static final Duration IMPATIENCE = Duration.ofMillis(200);

    @Test
    void start_answersOnItsUri_andKeepsNothingOnDisk() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.uri()).isEqualTo("redis://127.0.0.1:" + server.port());
            assertThat(server.command("PING")).isEqualTo("PONG");
            assertThat(server.command("CONFIG", "GET", "save")).isEqualTo("save\n");
            assertThat(server.command("CONFIG", "GET", "appendonly")).isEqualTo("appendonly\nno");
            assertThat(ProcessHandle.of(server.pid()))
                    .hasValueSatisfying(process -> assertThat(process.isAlive()).isTrue());
        }
    }

    @Test
    void start_withConfig_passesIt() {
        try (RedisServer server = RedisServer.start("--maxmemory", "2mb", "--maxmemory-policy", "allkeys-lru")) {
            assertThat(server.command("CONFIG", "GET", "maxmemory")).isEqualTo("maxmemory\n2097152");
            assertThat(server.command("CONFIG", "GET", "maxmemory-policy")).isEqualTo("maxmemory-policy\nallkeys-lru");
        }
    }

    @Test
    void start_withPassword_isUpToo() {
        try (RedisServer server = RedisServer.start("--requirepass", "secret")) {
            assertThatThrownBy(() -> server.command("PING")).hasMessageStartingWith("NOAUTH");
        }
    }

    @Test
    void start_unknownConfig_failsWithTheLog() {
        assertThatThrownBy(() -> RedisServer.start("--no-such-option", "1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ended with status 1")
                .hasMessageContaining("Bad directive or wrong number of arguments");
    }

    @Test
    void start_portTakenInBetween_triesAnother() throws IOException {
        int free = LoopbackPort.draw();
        try (ServerSocket taken = LoopbackPort.listen(LoopbackPort.draw())) {
            Iterator<Integer> ports = List.of(taken.getLocalPort(), free).iterator();
            try (RedisServer server = RedisServer.start(ports::next)) {
                assertThat(server.port()).isEqualTo(free);
            }
        }
    }

    @Test
    void start_everyPortTaken_failsWithTheLogs() {
        try (RedisServer taken = RedisServer.start()) {
            assertThatThrownBy(() -> RedisServer.start(taken::port))
                    .hasMessage("none of 10 ports (expected: a free one)")
                    .satisfies(e -> assertThat(e.getSuppressed())
                            .hasSize(10)
                            .allSatisfy(failure -> assertThat(failure).hasMessageContaining("bind: ")));
        }
    }

    @Test
    void start_portTakenByAnotherRedis_isNotMistakenForIt() {
        int free = LoopbackPort.draw();
        try (RedisServer first = RedisServer.start()) {
            Iterator<Integer> ports = List.of(first.port(), free).iterator();
            try (RedisServer second = RedisServer.start(ports::next)) {
                assertThat(second.port()).isEqualTo(free);
            }
            assertThat(first.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void command_returnsEveryKindOfReply() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.command("SET", "key", "värde\r\n2")).isEqualTo("OK");
            assertThat(server.command("GET", "key")).isEqualTo("värde\r\n2");
            assertThat(server.command("SET", "none", "")).isEqualTo("OK");
            assertThat(server.command("MGET", "key", "none", "absent")).isEqualTo("värde\r\n2\n\n(nil)");
            assertThat(server.command("INCR", "count")).isEqualTo("1");
            assertThat(server.command("EVAL", "return {1, {2, 'three'}}", "0")).isEqualTo("1\n2\nthree");
            assertThat(server.command("SCRIPT", "FLUSH")).isEqualTo("OK");
            assertThatThrownBy(() -> server.command("INCR", "key"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("ERR value is not an integer");
        }
    }

    @Test
    void kill_endsTheProcess_andRestartGivesAnEmptyOne() {
        try (RedisServer server = RedisServer.start()) {
            int port = server.port();
            long pid = server.pid();
            server.command("SET", "key", "value");
            server.command("SAVE");

            server.kill();
            assertThat(server.isAlive()).isFalse();
            assertThat(ProcessHandle.of(pid)).isEmpty();
            assertThatThrownBy(() -> server.command("PING"))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasCauseInstanceOf(ConnectException.class);
            assertThatThrownBy(server::pause).hasMessageContaining("ended (expected: alive)");

            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.pid()).isNotEqualTo(pid);
            assertThat(server.command("DBSIZE")).isEqualTo("0");
        }
    }

    @Test
    void restart_ofALivingServer_empties() {
        try (RedisServer server = RedisServer.start("--maxmemory", "2mb")) {
            server.command("SET", "key", "value");

            server.restart();

            assertThat(server.command("GET", "key")).isEqualTo("(nil)");
            assertThat(server.command("CONFIG", "GET", "maxmemory")).isEqualTo("maxmemory\n2097152");
        }
    }

    @Test
    void pause_silencesTheServer_untilItIsResumed() throws IOException {
        try (RedisServer server = RedisServer.start()) {
            server.pause();
            try (RespConnection connection = RespConnection.open(server.port(), IMPATIENCE)) {
                assertThatThrownBy(() -> connection.command("PING")).isInstanceOf(SocketTimeoutException.class);

                server.resume();
                assertThat(connection.receive()).isEqualTo("PONG");
            }
        }
    }

    @Test
    void close_endsEvenAPausedServer_andDeletesItsDirectory() {
        RedisServer server = RedisServer.start();
        Path directory = Path.of(server.command("CONFIG", "GET", "dir").substring("dir\n".length()));
        assertThat(directory).isDirectory();
        server.pause();

        server.close();
        server.close();

        assertThat(ProcessHandle.of(server.pid())).isEmpty();
        assertThat(Files.exists(directory)).isFalse();
        assertThatThrownBy(server::restart).hasMessageContaining("closed (expected: open)");
    }

    @Test
    void exitOfTheJvm_endsServersLeftBehind() throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerLeftBehind.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String pid = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

        assertThat(jvm.onExit().join().exitValue()).isZero();
        assertThat(ProcessHandle.of(Long.parseLong(pid))).isEmpty();
    }

    @Test
    void start_withAPathInTheProperty_runsThatBinary(@TempDir Path directory) throws IOException {
        Path chosen = Files.copy(RedisBinary.path(), directory.resolve("chosen"), StandardCopyOption.COPY_ATTRIBUTES);
        System.setProperty(RedisBinary.PROPERTY, chosen.toString());
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.command("INFO", "server")).contains("executable:" + chosen + "\r\n");
        } finally {
            System.clearProperty(RedisBinary.PROPERTY);
        }
    }

    @Test
    void start_withNoBinaryAtThePathInTheProperty_fails() {
        System.setProperty(RedisBinary.PROPERTY, "no/such/file");
        try {
            assertThatThrownBy(RedisServer::start)
                    .hasMessage("penstock.redis: no/such/file (expected: the path of a redis-server or valkey-server)");
        } finally {
            System.clearProperty(RedisBinary.PROPERTY);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-amd64",
        "Linux, aarch64, linux-arm64",
        "Mac OS X, x86_64, darwin-amd64",
        "Mac OS X, aarch64, darwin-arm64"
    })
    void binary_existsForTheMachine(String osName, String osArch, String expected) {
        String resource = RedisBinary.resource(osName, osArch);

        assertThat(resource).endsWith(expected);
        assertThat(RedisServer.class.getResource(resource)).isNotNull();
    }

    @Test
    void binary_ofAnotherMachine_isReportedMissing() {
        assertThatThrownBy(() -> RedisBinary.resource("Plan 9", "mips"))
                .hasMessageStartingWith("no redis-server for Plan 9 on mips");
    }

    @Test
    void valkey_isTheOneNamedThenTheOneOnThePathThenNone(@TempDir Path directory) throws IOException {
        Path installed =
                Files.copy(RedisBinary.path(), directory.resolve("valkey-server"), StandardCopyOption.COPY_ATTRIBUTES);
        Path named = Files.copy(installed, directory.resolve("named"), StandardCopyOption.COPY_ATTRIBUTES);
        Map<String, String> onPath = Map.of("PATH", "/no/such" + File.pathSeparator + directory);
        assertThat(RedisBinary.valkey(onPath::get)).isEqualTo(installed);
        assertThat(RedisBinary.valkey(Map.of("PATH", directory.toString(), "PENSTOCK_VALKEY", named.toString())::get))
                .isEqualTo(named);
        assertThat(RedisBinary.valkey(Map.of("PATH", "/no/such")::get)).isNull();
        assertThatThrownBy(() -> RedisBinary.valkey(Map.of("PENSTOCK_VALKEY", "no/such/file")::get))
                .hasMessageStartingWith("PENSTOCK_VALKEY: no/such/file (expected: ");
    }
}
