package dev.penstock.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.harness.Latency;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Parses output of wrk 4.1.0 and of h2load in nghttp2 1.52.0. */
class LoadRunTest {
    @Test
    void parse_ofH2load_readsRateAndAnswers() {
        String output = """
                Stopped all clients for thread #0

                finished in 3.02s, 469.33 req/s, 246.49KB/s
                requests: 1408 total, 1536 started, 1408 done, 1408 succeeded, 0 failed, 0 errored, 0 timeout
                status codes: 1408 2xx, 0 3xx, 0 4xx, 0 5xx
                traffic: 739.46KB (757212) total, 4.40KB (4504) headers (space savings 94.18%), 697.56KB (714300) data
                                     min         max         mean         sd        +/- sd
                time for request:    36.70ms    785.38ms    261.24ms    164.37ms    81.82%
                req/s           :      42.65       74.63       58.64       11.75    62.50%
                """;

        assertThat(H2load.parse(output)).contains(new LoadRun(469.33, 1_408, 0));
    }

    @Test
    void parse_ofH2loadWithBadAnswers_countsEachOnce() {
        String output = """
                finished in 1.01s, 624.00 req/s, 73.19KB/s
                requests: 624 total, 752 started, 624 done, 0 succeeded, 624 failed, 0 errored, 0 timeout
                status codes: 0 2xx, 0 3xx, 624 4xx, 0 5xx
                """;

        assertThat(H2load.parse(output)).contains(new LoadRun(624, 0, 624));
    }

    @Test
    void parse_ofWrk_readsRateAndAnswers() {
        String output = """
                Running 3s test @ http://127.0.0.1:45073/v1/check
                  1 threads and 128 connections
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency   131.67ms   75.79ms 547.63ms   70.30%
                    Req/Sec     0.98k   364.56     1.65k    74.19%
                  3045 requests in 3.08s, 1.57MB read
                Requests/sec:    987.25
                Transfer/sec:    521.59KB
                """;

        assertThat(Wrk.parse(output)).contains(new LoadRun(987.25, 3_045, 0));
    }

    @Test
    void parse_ofWrkWithBadAnswers_countsThemAsErrors() {
        String output = """
                  1164 requests in 1.03s, 236.44KB read
                  Non-2xx or 3xx responses: 1164
                Requests/sec:   1135.39
                Transfer/sec:    230.63KB
                """;

        assertThat(Wrk.parse(output)).contains(new LoadRun(1_135.39, 0, 1_164));
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
