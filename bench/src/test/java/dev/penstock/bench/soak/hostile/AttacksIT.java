package dev.penstock.bench.soak.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.server.AdminSettings;
import dev.penstock.server.ClientSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.RedisUri;
import dev.penstock.server.Secret;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.WarmUpSettings;
import dev.penstock.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each attack makes a real service answer as documented, and the service keeps running. */
class AttacksIT {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final ListenAddress ANY = new ListenAddress("127.0.0.1", 0);

    /** Slow clients are disconnected after this time, so that the test does not wait for the default of 10 s. */
    private static final Duration SLOWEST = Duration.ofSeconds(3);

    @TempDir
    static Path directory;

    private static RedisServer redis;
    private static PenstockServer server;

    @BeforeAll
    static void start() throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), HostilePolicies.TEXT);
        redis = RedisServer.start();
        server = PenstockServer.start(ServerSettings.of(policies)
                .withAt(ANY)
                .withAdmin(new AdminSettings(ANY)
                        .withAudit(directory.resolve("audit.jsonl"))
                        .withToken(new Secret("the-token-of-this-test")))
                .withRedis(new RedisUri(redis.uri()))
                .withClients(ClientSettings.DEFAULT.withSlowest(SLOWEST))
                .withWarmUp(WarmUpSettings.OFF));
    }

    @AfterAll
    static void stop() {
        server.close();
        redis.close();
    }

    private static List<Target> targets() {
        return List.of(new Target(server.port(), server.adminPort()));
    }

    static Stream<String> names() {
        return Attacks.against(List.of()).stream().map(Attack::name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void attack_isAnsweredAsDocumented(String name) {
        Attack attack = Attacks.against(targets()).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        attack.start();
        try {
            await().atMost(LONG).until(() -> {
                AttackCounts.Totals totals = attack.counts().totals();
                return totals.answered() + totals.cut() > 0 || totals.unexpected() > 0;
            });
        } finally {
            attack.stop();
        }

        assertThat(attack.counts().totals().unexpected())
                .as("%s", attack.counts().totals().firstUnexpected())
                .isZero();
    }

    @Test
    void honestLoad_isAllowed() {
        HonestLoad load = new HonestLoad(targets(), 50);
        try (load) {
            load.start();
            await().atMost(LONG).until(() -> load.counts().totals().get(HonestOutcome.ALLOWED) > 100);
        }

        assertThat(load.counts().totals())
                .as("%s", load.counts().firstBad())
                .containsEntry(HonestOutcome.DENIED, 0L)
                .containsEntry(HonestOutcome.ERROR, 0L)
                .containsEntry(HonestOutcome.UNSENT, 0L);
        assertThat(load.counts().takeLatency().p99Millis()).isPositive();
    }
}
