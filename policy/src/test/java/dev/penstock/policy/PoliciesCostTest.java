package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Request;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PoliciesCostTest {
    private Sample sample;

    @BeforeEach
    void read() throws PolicyErrors {
        sample = Sample.of(
                "policies:",
                "  - name: p",
                "    limits:",
                "      - { key: [], token_bucket: 1000/s }",
                "      - { key: [], unit: tokens, token_bucket: 100k/s, cost: 500 }",
                "      - { key: [], concurrency: 9, ttl: 1m }",
                "    cost:",
                "      - { match: { route: /api/** }, requests: 3 }",
                "      - { match: { route: /api/reports/** }, requests: 20, tokens: 4000 }",
                "      - { match: { route: /api/reports/**, method: POST }, requests: 30 }",
                "      - { match: { method: POST }, requests: 7 }",
                "    max_cost: { requests: 50 }");
    }

    private String costs(Request request) {
        return sample.policies().match(request).charges().stream()
                .map(charge -> charge.limit().unit() + " " + charge.cost())
                .toList()
                .toString();
    }

    @Test
    void default_isOneRequestAndOneSlot_andTheLimitsOwnCost() {
        assertThat(costs(Request.empty())).isEqualTo("[requests 1, tokens 500, slots 1]");
    }

    @Test
    void rule_withTheMostSpecificRoute_counts() {
        assertThat(costs(Sample.request("route", "/api/x"))).contains("requests 3", "tokens 500");
        assertThat(costs(Sample.request("route", "/api/reports/1"))).contains("requests 20", "tokens 4000");
        assertThat(costs(Sample.request("route", "/api/reports/1", "method", "post")))
                .contains("requests 30");
        assertThat(costs(Sample.request("route", "/api/x", "method", "POST"))).contains("requests 3");
        assertThat(costs(Sample.request("route", "/x", "method", "POST"))).contains("requests 7");
    }

    @Test
    void rule_ofSeveralRoutes_isAsSpecificAsTheOneThatMatches() throws PolicyErrors {
        sample = Sample.of(
                "policies:",
                "  - name: p",
                "    limits: [ { key: [], token_bucket: 1000/s } ]",
                "    cost:",
                "      - { match: { route: [/a/b, /x/**] }, requests: 1 }",
                "      - { match: { route: \"/x/{id}\" }, requests: 50 }",
                "      - { match: { route: \"/x/{a}\", method: POST }, requests: 70 }");

        assertThat(costs(Sample.request("route", "/x/7"))).contains("requests 50");
        assertThat(costs(Sample.request("route", "/x/7/8"))).contains("requests 1");
        assertThat(costs(Sample.request("route", "/x/7", "method", "POST"))).contains("requests 70");
    }

    @Test
    void statedCost_takesPrecedenceOverRules_upToTheMaximum() {
        assertThat(costs(Sample.request("route", "/api/x").cost("requests", 40)))
                .contains("requests 40");
        assertThat(costs(Sample.request("route", "/api/x").cost("requests", 51)))
                .contains("requests 50");
        assertThat(costs(Sample.request("route", "/api/x").cost("tokens", 90_000)))
                .contains("tokens 90000");
        assertThat(costs(Sample.request("route", "/api/x").cost("requests", 0))).contains("requests 0");
    }
}
