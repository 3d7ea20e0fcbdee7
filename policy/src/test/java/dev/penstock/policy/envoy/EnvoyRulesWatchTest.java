package dev.penstock.policy.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.PolicyFailure;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.testkit.ManualClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how changed rules come into use. The tests of policies cover the polling itself. */
class EnvoyRulesWatchTest {
    private final ManualClock clock = new ManualClock(Instant.parse("2100-01-01T00:00:00Z"));

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void write() throws Exception {
        file = Files.writeString(directory.resolve("edge.yaml"), "domain: edge");
    }

    private EnvoyRulesWatch watch(SameDomain sameDomain) throws PolicyErrors {
        return EnvoyRulesWatch.still(List.of(directory), sameDomain, clock);
    }

    @Test
    void change_isLoadedOnceTwoPollsAgree() throws Exception {
        try (EnvoyRulesWatch watch = watch(SameDomain.REFUSED)) {
            Files.writeString(directory.resolve("more.yaml"), "domain: more");
            watch.look();
            assertThat(watch.rules().domains()).containsExactly("edge");
            watch.look();

            assertThat(watch.rules().domains()).containsExactlyInAnyOrder("edge", "more");
            assertThat(watch.rules().version().number()).isEqualTo(2);
        }
    }

    @Test
    void badChange_keepsThePreviousRules_andIsReported() throws Exception {
        try (EnvoyRulesWatch watch = watch(SameDomain.REFUSED)) {
            Files.writeString(file, "domain: ''");
            watch.reload();

            assertThat(watch.rules().domains()).containsExactly("edge");
            PolicyFailure failure = watch.failure();
            assertThat(failure).isNotNull();
            assertThat(failure.errors().toString()).contains("edge.yaml").contains("domain");

            Files.writeString(file, "domain: other");
            watch.reload();
            assertThat(watch.rules().domains()).containsExactly("other");
            assertThat(watch.failure()).isNull();
        }
    }

    @Test
    void sameDomainInTwoFiles_isRefused_orMerged() throws Exception {
        Files.writeString(directory.resolve("more.yaml"), "domain: edge");

        assertThatThrownBy(() -> watch(SameDomain.REFUSED)).isInstanceOf(PolicyErrors.class);
        try (EnvoyRulesWatch watch = watch(SameDomain.MERGED)) {
            assertThat(watch.rules().domains()).containsExactly("edge");
        }
    }
}
