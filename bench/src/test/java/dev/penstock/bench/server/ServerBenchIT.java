package dev.penstock.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Turn;
import dev.penstock.bench.harness.Wanted;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerBenchIT {
    static boolean hasTools() {
        return Wrk.version().isPresent() && H2load.version().isPresent();
    }

    @Test
    void prepare_withoutATool_saysHowToInstallThem() {
        String install = ": not on the PATH (expected: both h2load and wrk; apt-get install nghttp2-client wrk)";

        assertThatThrownBy(() -> new ServerBench(Optional.empty(), Optional.empty()).prepare())
                .isInstanceOf(BenchFailure.class)
                .hasMessage("h2load and wrk" + install);
        assertThatThrownBy(() -> new ServerBench(Optional.empty(), Optional.of("h2load 1")).prepare())
                .hasMessage("wrk" + install);
        assertThatThrownBy(() -> new ServerBench(Optional.of("wrk 4"), Optional.empty()).prepare())
                .hasMessage("h2load" + install);
    }

    @Test
    void expectations_compareContendersWithATurnInEveryRound() {
        List<Expectation> wanted = new ArrayList<>();
        for (BenchCase benchCase : new ServerBench().cases()) {
            for (Expectation expectation : benchCase.expectations()) {
                if (expectation.wanted().bound() != Wanted.Bound.NONE) {
                    wanted.add(expectation);
                    assertThat(benchCase.contenders())
                            .contains(Contender.inRatio(expectation.ours()), Contender.inRatio(expectation.peer()));
                }
            }
        }

        assertThat(wanted)
                .extracting(Expectation::ratio)
                .containsExactly(
                        "http1_memory_vs_noop",
                        "http1_redis_vs_noop",
                        "http2_redis_vs_noop",
                        "grpc_memory_vs_noop",
                        "grpc_redis_vs_noop");
    }

    @Test
    void body_ofGrpc_isAFrameOfOneMessage() throws Exception {
        byte[] body = Wire.GRPC.body();

        RateLimitRequest request = RateLimitRequest.parseFrom(Arrays.copyOfRange(body, 5, body.length));

        assertThat(body[4]).isEqualTo((byte) (body.length - 5));
        assertThat(request.getDescriptors(0).getEntries(1).getValue()).isEqualTo("user-00000000");
    }

    @Test
    void digits_areTheNumberInEightBytes() {
        byte[] bytes =
                ByteBuffer.allocate(8).putLong(ChangingBody.digits(90_210)).array();

        assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo("00090210");
    }

    @Test
    @Timeout(60)
    void changingBody_namesManyUsers(@TempDir Path directory) throws Exception {
        Set<String> seen = new HashSet<>();
        String form = new String(Wire.HTTP2.body(), StandardCharsets.UTF_8).replace("00000000", "[0-9]{8}");
        try (ChangingBody body = ChangingBody.start(Wire.HTTP2, directory.resolve("body"))) {
            while (seen.size() < 10) {
                seen.add(Files.readString(body.file()));
            }
        }

        assertThat(seen)
                .allMatch(each -> each.matches(form.replace("{\"", "\\{\"").replace("}}", "\\}\\}")));
    }

    @Test
    void counts_ofMetrics_distinguishWhatTheStoreAllowed() {
        Counts counts = PenstockService.counts("""
                # TYPE rate_limiter_requests counter
                rate_limiter_requests_total{outcome="allowed",decided_by="store"} 1200.0
                rate_limiter_requests_total{outcome="allowed",decided_by="fallback"} 30.0
                rate_limiter_requests_total{outcome="denied",decided_by="store"} 4.0
                rate_limiter_allowed_total{policy="users",route="none"} 1200.0
                """);

        assertThat(counts.answered()).isEqualTo(1_234);
        assertThat(counts.allowed()).isEqualTo(1_200);
        assertThat(Counts.read(counts.write())).isEqualTo(counts);
    }

    /** Runs each generator and each kind of contender. */
    @ParameterizedTest
    @CsvSource({"HTTP1, noop", "HTTP2, penstock_redis", "GRPC, penstock_memory"})
    @EnabledIf(value = "hasTools", disabledReason = "h2load and wrk are not both on the PATH")
    void turn_ofAContender_isMeasured(Wire wire, String contender) throws Exception {
        try (Services services = new Services()) {
            Turn turn = new Serving(wire, services)
                    .turn(Contender.inRatio(contender), new Settings.Length(1, 1), System.out);

            assertThat(turn.meanOpsPerSecond()).isPositive();
            assertThat(turn.allowedShare()).isEqualTo(1);
            assertThat(turn.cpuNanosPerOp()).isPositive();
            assertThat(turn.overAStore().errors()).isZero();
            assertThat(turn.overAStore().latency().p999Micros())
                    .isGreaterThanOrEqualTo(turn.overAStore().latency().p50Micros());
        }
    }
}
