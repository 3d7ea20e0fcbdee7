package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Request;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The notes on leased policies for which leasing saves no round trip. */
class PoliciesLeaseNotesTest {
    private static final String LEASED = """
            version: 1
            policies:
              - name: tenant
                consistency: leased
                limits: [ { key: [tenant], token_bucket: 1000/s } ]
            """;

    private static List<String> notes(String more) throws PolicyErrors {
        return Policies.parse("p.yaml", LEASED + more.indent(2)).notes().stream()
                .map(PolicyError::toString)
                .toList();
    }

    private static List<String> notesOf(Policies policies, String policy) {
        return policies.explain(Request.of("tenant", "acme").with("user", "ann")).policies().stream()
                .filter(each -> each.name().equals(policy))
                .flatMap(each -> each.limits().stream())
                .flatMap(limit -> limit.notes().stream())
                .toList();
    }

    @Test
    void onlyLeasedLimits_haveNoNotes() throws Exception {
        assertThat(notes("")).isEmpty();
        assertThat(notes("""
                - name: other
                  consistency: leased
                  limits: [ { key: [user], sliding_window: 1000/s } ]
                """)).isEmpty();
    }

    @Test
    void strictAndShadowPolicies_areNamedIfTheyApplyToEveryRequest() throws Exception {
        assertThat(notes("""
                - name: slots
                  limits: [ { key: [tenant], concurrency: 5, ttl: 1m } ]
                - name: watched
                  mode: shadow
                  limits: [ { key: [tenant], token_bucket: 5/s } ]
                - name: sometimes
                  match: { route: /a }
                  limits: [ { key: [tenant], token_bucket: 5/s } ]
                - name: local
                  limits: [ { key: [ip], local: true, token_bucket: 5/s } ]
                """))
                .containsExactly(
                        "p.yaml:3:5 policies[0]: leasing saves no round trip: each request is also under \"slots\" and"
                                + " \"watched\", which Redis decides. The permits of this policy are still spent from"
                                + " leases");
    }

    @Test
    void leasedLimitsThatCannotBeLeased_haveNotesAtTheirPlace() throws Exception {
        assertThat(notes("""
                - name: queue
                  match: { route: /q }
                  consistency: leased
                  limits: [ { key: [tenant], leaky_bucket: 10/s, queue: 5 } ]
                - name: watched
                  match: { route: /w }
                  mode: shadow
                  consistency: leased
                  limits: [ { key: [tenant], token_bucket: 5/s } ]
                """))
                .containsExactly(
                        "p.yaml:9:15 policies[1].limits[0]: a leaky_bucket cannot be leased: Redis assigns each turn, so"
                                + " each request takes a round trip",
                        "p.yaml:10:5 policies[2]: consistency: leased has no effect in a shadow policy: Redis counts"
                                + " each request");
    }

    @Test
    void explain_saysWhichLimitsAreLeased() throws Exception {
        Policies policies = Policies.parse("p.yaml", LEASED + """
                - name: users
                  limits: [ { key: [user], token_bucket: 5/s } ]
                - name: queue
                  consistency: leased
                  limits: [ { key: [user], leaky_bucket: 10/s, queue: 5 } ]
                - name: watched
                  mode: shadow
                  consistency: leased
                  limits: [ { key: [user], token_bucket: 5/s } ]
                """.indent(2));
        assertThat(notesOf(policies, "tenant"))
                .containsExactly("leased: spent from permits drawn in advance while the key is busy");
        assertThat(notesOf(policies, "users"))
                .containsExactly("decided by Redis, so leasing in tenant saves no round trip");
        assertThat(notesOf(policies, "queue")).containsExactly("not leased: a leaky_bucket is decided by Redis");
        assertThat(notesOf(policies, "watched")).containsExactly("not leased: a shadow policy is decided by Redis");
    }
}
