package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.server.RedisServer;
import dev.penstock.testkit.server.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A real Redis with TLS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisTlsIT {
    private final Ask ask =
            Ask.of(Charge.of(LimitSettings.of("p", Limit.tokenBucket(1_000, Duration.ofDays(1))), Key.of("p", "k"), 1));

    private final RedisServer redis = RedisServer.start();
    private Path files;
    private TlsIdentity server;
    private TlsIdentity node;
    private TlsIdentity stranger;

    @BeforeAll
    void makeCertificates(@TempDir Path directory) {
        files = directory;
        server = TlsIdentity.create(files, "server");
        node = TlsIdentity.create(files, "node");
        stranger = TlsIdentity.create(files, "stranger");
    }

    @AfterAll
    void stop() {
        redis.close();
    }

    @Test
    void trustedServer_isAsked() {
        try (RedisEngine engine = RedisEngine.builder(redis.serveTls(server))
                .trust(server.certificate())
                .build()) {
            assertThat(isAllowed(engine)).isTrue();
        }
    }

    @Test
    void untrustedServer_isRejectedInOneLine() {
        String uri = redis.serveTls(server);
        refused(RedisEngine.builder(uri).trust(stranger.certificate()));
        refused(RedisEngine.builder(uri));
    }

    @Test
    void hostNameNotInTheCertificate_isRejectedInOneLine() {
        String uri = redis.serveTls(server).replace("127.0.0.1", "localhost");
        refused(RedisEngine.builder(uri).trust(server.certificate()));
    }

    @Test
    void serverThatRequiresACertificate_getsIt() {
        String uri = redis.serveTls(server, node);
        try (RedisEngine engine = RedisEngine.builder(uri)
                .trust(server.certificate())
                .certificate(node.certificate())
                .key(node.key())
                .build()) {
            assertThat(isAllowed(engine)).isTrue();
        }
        refused(RedisEngine.builder(uri).trust(server.certificate()));
        refused(RedisEngine.builder(uri)
                .trust(server.certificate())
                .certificate(stranger.certificate())
                .key(stranger.key()));
    }

    @Test
    void plainConnectionToATlsPort_failsInOneLine() {
        refused(RedisEngine.builder(redis.serveTls(server).replace("rediss", "redis")));
    }

    @Test
    void wrongFiles_areReported() throws IOException {
        Path empty = Files.createTempFile(files, "empty", ".pem");
        Path missing = files.resolve("missing.pem");
        String uri = "rediss://127.0.0.1:1";
        assertThatThrownBy(() -> RedisEngine.builder(uri).trust(missing).build())
                .hasMessage("trust: " + missing + " (expected: a file that can be read)");
        assertThatThrownBy(() -> RedisEngine.builder(uri).trust(empty).build())
                .hasMessage("trust: " + empty + " (expected: certificates in PEM)");
        assertThatThrownBy(() ->
                        RedisEngine.builder(uri).certificate(node.certificate()).build())
                .hasMessage("key: null (expected: a value)");
        assertThatThrownBy(() -> RedisEngine.builder(uri)
                        .certificate(node.certificate())
                        .key(empty)
                        .build())
                .hasMessageStartingWith("certificate: " + node.certificate() + " (expected: ");
        assertThatThrownBy(() -> RedisEngine.builder("redis://127.0.0.1:1")
                        .trust(server.certificate())
                        .build())
                .hasMessageStartingWith("uri.scheme: without TLS (expected: ");
    }

    private static void refused(RedisEngine.Builder wrong) {
        assertThatThrownBy(wrong::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("redis at ")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    private boolean isAllowed(RedisEngine engine) {
        return engine.decide(ask).whenReady().toCompletableFuture().join().isAllowed();
    }
}
