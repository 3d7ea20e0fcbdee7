package dev.penstock.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.harness.Latency;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What wrk 4.1.0 and h2load of nghttp2 1.52.0 print. */
class LoadRunTest {
    @Test
    void parse_ofH2load_readsRateAndAnswers() {
        String output = """
                H2SAMPLE""";

        assertThat(H2load.parse(output)).contains(new LoadRun(1, 1, 0));
    }

    @Test
    void parse_ofH2loadWithFailures_countsEachOnce() {
        String output = """
                H2BAD""";

        assertThat(H2load.parse(output)).contains(new LoadRun(1, 0, 1));
    }

    @Test
    void parse_ofWrk_readsRateAndAnswers() {
        String output = """
                WRKSAMPLE""";

        assertThat(Wrk.parse(output)).contains(new LoadRun(1, 1, 0));
    }

    @Test
    void parse_ofWrkWithBadAnswers_countsThemAsErrors() {
        String output = """
                WRKBAD""";

        assertThat(Wrk.parse(output)).contains(new LoadRun(1, 0, 1));
    }

    @Test
    void parse_ofAnythingElse_isEmpty() {
        assertThat(Wrk.parse("unable to connect to 127.0.0.1:1 Connection refused"))
                .isEmpty();
        assertThat(H2load.parse("client could not connect to host")).isEmpty();
    }

    @Test
    void latency_ofALog_hasTheSharesOfAllLines() {
        List<String> lines = IntStream.rangeClosed(1, 1_000)
                .mapToObj(micros -> "1763247600000000\t200\t" + micros)
                .toList();

        assertThat(H2load.latency(lines)).contains(new Latency(500, 990, 999));
    }

    @Test
    void latency_ofALogWithAFailedLine_isEmpty() {
        assertThat(H2load.latency(List.of("1763247600000000\t200\t7", "1763247600000000\t-1\t9")))
                .isEmpty();
        assertThat(H2load.latency(List.of())).isEmpty();
    }
}
