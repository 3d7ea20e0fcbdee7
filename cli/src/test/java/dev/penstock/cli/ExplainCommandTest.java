package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {
    private static final Map<String, String> KEY = Map.of("SHOP_HASH_KEY", "0123456789abcdef");

    private static Run explain(String... arguments) {
        List<String> all = new ArrayList<>(List.of("explain", "-p", "FILES/shop"));
        all.addAll(List.of(arguments));
        return Run.of(Run.Eye.PIPE, KEY, all.toArray(String[]::new));
    }

    @Test
    void explain_showsKeysLimitsPlanCostsAndWhyOthersDoNotMatch() {
        Run run = explain("tenant=globex", "api_key=sk_1", "route=/api/reports/7");

        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().replaceFirst("[0-9a-f]{16}", "HASH")).isEqualTo("""
                policies  HASH
                plan      free with overrides

                keys (enforce)
                  fixed_window-1h  fixed_window: 1000 per 1h
                    key       api_key=d023a3a3ee9c334755223b23ca81cda7
                    cost      requests: 1
                    counter   keys/1h/api_key

                plan (enforce)
                  token_bucket-1m  token_bucket: 12 per 1m, burst: 12
                    key       tenant=globex
                    cost      requests: 3
                    counter   plan/1m/tenant
                  token_bucket-1m-tokens  token_bucket: 100000 per 1m, burst: 100000
                    key       tenant=globex
                    cost      tokens: 500
                    counter   plan/1m-tokens/tenant

                do not match:
                  jobs   the request has no method (wanted: POST)
                  next   route is /api/reports/7 (wanted: /queue)
                  queue  route is /api/reports/7 (wanted: /queue)
                """);
    }

    @Test
    void explain_missingAttributes_areShown() {
        assertThat(explain("route=/queue").out()).contains("""
                next (shadow)
                  sliding_log-1m  sliding_log: 2 per 1m
                    left out  the request has no user (when_missing: skip)
                    key       no user
                  fixed_window-1m  fixed_window: 2 per 1m
                    key       no region
                    cost      requests: 1
                    counter   next/1m/region
                    note      counted with all requests that have no region
                    note      local limit, in each process
                    note      not shown to clients

                queue (enforce)
                  leaky_bucket-1s  leaky_bucket: 10 per 1s, queue: 3
                    key       everyone together
                """);
    }

    @Test
    void explain_unlimitedInThePlan_isLeftOut() {
        assertThat(explain("route=/jobs", "method=POST", "tenant=acme").out())
                .contains("decided   allowed, because no limit applies\n")
                .contains("  unlimited\n    left out  unlimited in the plan team\n    key       tenant=acme\n");
    }

    @Test
    void explain_lists_decideBeforeAnythingIsCounted() {
        assertThat(explain("ip=198.51.100.7").out()).contains("decided   denied by abusers, without counting\n");
        assertThat(explain("ip=192.0.2.10").out()).contains("decided   allowed by monitoring, without counting\n");
        assertThat(explain().out()).contains("decided   allowed by default, because no policy matches\n");
    }

    @Test
    void explain_at_usesTheValuesAfterARaise() {
        String[] request = {"tenant=globex", "route=/api"};

        assertThat(explain("--at", "2026-12-23T23:59:59Z", request[0], request[1])
                        .out())
                .contains("token_bucket: 12 per 1m");
        assertThat(explain("--at", "2026-12-24", request[0], request[1]).out()).contains("token_bucket: 6 per 1m");
    }

    @Test
    void explain_statedCost_counts() {
        assertThat(explain("tenant=acme", "route=/api", "--cost", "tokens=2k", "--cost", "requests=5")
                        .out())
                .contains("cost      tokens: 2000\n")
                .contains("cost      requests: 5\n");
    }

    @Test
    void explain_missingSecrets_areReplacedAndReported() {
        Run run = Run.of("explain", "-p", "FILES/shop", "api_key=sk_1");

        assertThat(run.status()).isZero();
        assertThat(run.err()).isEqualTo("""
                the hashes shown are not the real ones: FILES/shop/policies.yaml:2:18 hash_key.env: SHOP_HASH_KEY \
                (expected: an environment variable that is set)
                """);
        assertThat(run.out())
                .containsPattern("key {7}api_key=[0-9a-f]{32}\n")
                .doesNotContain("d023a3a3ee9c334755223b23ca81cda7", "sk_1");
    }

    @Test
    void explain_badPolicies_printsTheirErrors() {
        Run run = Run.of("explain", "-p", "FILES/bad.yaml", "user=alice");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).endsWith("3 errors in 1 file\n");
        assertThat(Run.of("explain", "-p", "FILES/bad.yaml", "--json").json().get("errors"))
                .hasSize(3);
    }

    @Test
    void explain_asJson_hasTheSameContent() {
        Run run = explain("--json", "tenant=globex", "api_key=sk_1", "route=/api/reports/7");
        JsonNode answer = run.json();

        assertThat(run.status()).isZero();
        assertThat(run.out()).doesNotContain("sk_1");
        assertThat(answer.get("at").asText()).isEqualTo("2026-12-01T00:00:00Z");
        assertThat(answer.get("hashes").asText()).isEqualTo("real");
        assertThat(answer.get("plan").asText()).isEqualTo("free with overrides");
        assertThat(answer.get("ruling").isNull()).isTrue();
        assertThat(answer.get("policies")).hasSize(5);
        JsonNode jobs = answer.get("policies").get(0);
        assertThat(jobs.get("matches").asBoolean(true)).isFalse();
        assertThat(jobs.get("why_not").asText()).isEqualTo("the request has no method (wanted: POST)");
        JsonNode limit = answer.get("policies").get(1).get("limits").get(0);
        assertThat(limit.get("cost").asLong()).isEqualTo(1);
        assertThat(limit.get("key").get(0).get("value").asText()).isEqualTo("d023a3a3ee9c334755223b23ca81cda7");
    }

    @Test
    void repeat_bucket_showsTheFirstDenial() {
        assertThat(explain("tenant=globex", "route=/api/reports/7", "--repeat", "10")
                        .out())
                .endsWith("""

                10 such requests at 2026-12-01T00:00:00Z: 4 allowed
                  1 to 4   allowed
                  5 to 10  denied by plan token_bucket-1m (plan/1m/tenant), retry after 15s
                afterwards:
                  plan token_bucket-1m (plan/1m/tenant)                0 of 12 left, full again after 1m
                  plan token_bucket-1m-tokens (plan/1m-tokens/tenant)  98000 of 100000 left, full again after 1.2s
                """);
    }

    @Test
    void repeat_showsDelaysAndShadowDenials() {
        assertThat(explain("route=/queue", "--repeat", "10").out()).endsWith("""
                10 such requests at 2026-12-01T00:00:00Z: 3 allowed
                  1 to 2   allowed, delayed by 0s to 0.1s
                  3        allowed, delayed by 0.2s; would be denied by next fixed_window-1m (next/1m/region)
                  4 to 10  denied by queue leaky_bucket-1s (queue/1s/), retry after 0.1s; \
                would be denied by next fixed_window-1m (next/1m/region)
                afterwards:
                  next fixed_window-1m (next/1m/region)  0 of 2 left, full again after 1m
                  queue leaky_bucket-1s (queue/1s/)      0 of 3 left, full again after 0.3s
                """);
    }

    @Test
    void repeat_concurrency_isHeld() {
        assertThat(explain("route=/jobs", "method=POST", "--repeat", "3").out()).endsWith("""
                3 such requests at 2026-12-01T00:00:00Z: 1 allowed
                  1       allowed
                  2 to 3  denied by jobs concurrency (jobs//tenant), action later, retry after about 30s
                afterwards:
                  jobs concurrency (jobs//tenant)  1 of 1 held, for 30s unless released
                """);
    }

    @Test
    void repeat_costAboveTheCapacity_neverFits() {
        assertThat(explain("route=/api", "--cost", "tokens=200k", "--repeat", "1")
                        .out())
                .endsWith("""
                1 such request at 2026-12-01T00:00:00Z: 0 allowed
                  1  denied by plan token_bucket-1m-tokens (plan/1m-tokens/tenant), and can never fit
                afterwards:
                  plan token_bucket-1m (plan/1m/tenant)                6 of 6 left
                  plan token_bucket-1m-tokens (plan/1m-tokens/tenant)  100000 of 100000 left
                """);
    }

    @Test
    void repeat_listedRequest_isDeniedEachTime() {
        assertThat(explain("ip=198.51.100.7", "--repeat", "3").out()).endsWith("""
                3 such requests at 2026-12-01T00:00:00Z: 0 allowed
                  1 to 3  denied by abusers, without counting
                """);
    }

    @Test
    void repeat_candidate_showsWhereItDiffers() {
        Run run = Run.of("explain", "-p", "FILES/candidate.yaml", "user=alice", "--repeat", "9");

        assertThat(run.out()).contains("""
                  1 to 2  allowed
                  3 to 5  allowed; the candidate next would deny
                  6 to 9  denied by live token_bucket-1m (live/1m/user), retry after 12s
                """);
    }

    @Test
    void repeat_blockFor_distinguishesDenialsAndBlocks() {
        assertThat(Run.of("explain", "-p", "FILES/block.yaml", "ip=192.0.2.1", "--repeat", "9")
                        .out())
                .endsWith("""
                9 such requests at 2026-12-01T00:00:00Z: 2 allowed
                  1 to 2  allowed
                  3 to 4  denied by login sliding_log-1m (login/1m/ip), retry after 1m
                  5 to 9  blocked by login sliding_log-1m (login/1m/ip), retry after 10m
                afterwards:
                  login sliding_log-1m (login/1m/ip)  0 of 2 left, full again after 1m
                  login sliding_log-1m (login/1m/ip)  blocked for 10m
                """);
        JsonNode stretches = Run.of("explain", "-p", "FILES/block.yaml", "ip=192.0.2.1", "--repeat", "9", "--json")
                .json()
                .get("repeat")
                .get("stretches");
        assertThat(stretches.get(1).get("blocked").asBoolean(true)).isFalse();
        assertThat(stretches.get(2).get("blocked").asBoolean()).isTrue();
    }

    @Test
    void repeat_asJson_hasTheStretches() {
        JsonNode repeat =
                explain("route=/queue", "--repeat", "4", "--json").json().get("repeat");

        assertThat(repeat.get("allowed").asInt()).isEqualTo(3);
        JsonNode denied = repeat.get("stretches").get(2);
        assertThat(denied.get("from").asInt()).isEqualTo(4);
        assertThat(denied.get("denied_by").get("limit").asText()).isEqualTo("leaky_bucket-1s");
        assertThat(denied.get("retry").get("kind").asText()).isEqualTo("not_before");
        assertThat(denied.get("retry").get("after_micros").asLong()).isEqualTo(100_000);
        assertThat(denied.get("shadow_denied_by").get(0).get("policy").asText()).isEqualTo("next");
        assertThat(repeat.get("stretches").get(1).get("longest_delay_micros").asLong())
                .isEqualTo(200_000);
        assertThat(repeat.get("afterwards").get(1).get("remaining").asLong()).isZero();
    }
}
