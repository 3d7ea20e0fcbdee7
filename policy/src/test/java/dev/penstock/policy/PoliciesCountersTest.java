package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Request;
import dev.penstock.spi.Charge;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks that counters found by a policy's name and a key are the ones that requests are charged to. */
class PoliciesCountersTest {
    private static final String TEXT = """
            version: 1
            hash_key: { env: KEY }
            plans:
              free: { requests: 10/h }
              paid: { requests: 1000/h }
            default_plan: free
            tenants: { acme: { plan: paid } }
            routes: [ "/users/{id}" ]
            policies:
              - name: api
                colocate: tenant
                limits:
                  - { id: plan, key: [tenant], token_bucket: plan.requests }
                  - { id: users, key: [user], token_bucket: 5/h }
                  - { id: secrets, key: [tenant, api_key], token_bucket: 5/h }
              - name: network
                limits:
                  - { id: net, key: [ip/24, route], token_bucket: 5/h, counter: shared }
                  - { id: each, key: [region], token_bucket: plan.requests }
                  - { id: all, key: [], token_bucket: 5/h }
              - name: beside
                limits: [ { id: net, key: [ip/24, route], token_bucket: 7/h, counter: shared } ]
            """;

    private static final Request REQUEST = Request.of(Map.of(
            "tenant", "acme",
            "user", "Ann",
            "api_key", "very-secret",
            "ip", "192.0.2.7",
            "route", "/users/7",
            "region", "eu"));

    private final Policies policies;

    PoliciesCountersTest() throws PolicyErrors {
        policies = Policies.loader()
                .environment(name -> name.equals("KEY") ? "sixteen bytes at least" : null)
                .parse("p.yaml", TEXT);
    }

    /** For each charge of a request, its policy, limit and key values lead back to the same account. */
    @Test
    void charges_byTheKeysOfARequest_areTheOnesItIsCharged() {
        List<Charge> charged = policies.match(REQUEST).charges();

        assertThat(charged).hasSize(7);
        for (Charge each : charged) {
            List<Charge> found = policies.charges(
                    each.settings().policy(), each.limit().id(), each.key().values());
            assertThat(found).as("%s", each).anySatisfy(charge -> {
                assertThat(charge.key()).isEqualTo(each.key());
                assertThat(charge.limit()).isEqualTo(each.limit());
                assertThat(charge.colocation()).isEqualTo(each.colocation());
                assertThat(charge.cost()).isZero();
            });
        }
    }

    @Test
    void plan_isThatOfTheTenantInTheKey_otherwiseAllAreReturned() {
        assertThat(policies.charges("api", "plan", List.of("acme")))
                .singleElement()
                .satisfies(charge -> assertThat(charge.limit().capacity()).isEqualTo(1000));
        assertThat(policies.charges("network", "each", List.of("eu")))
                .extracting(charge -> charge.limit().capacity())
                .containsExactlyInAnyOrder(10L, 1000L);
    }

    @Test
    void limitLeftOut_meansAllWithThatNumberOfKeyParts() {
        assertThat(policies.charges("api", null, List.of("acme", "x")))
                .extracting(charge -> charge.limit().id())
                .containsExactly("users", "secrets");
        assertThat(policies.charges("network", null, List.of()))
                .extracting(charge -> charge.limit().id())
                .containsExactly("all");
    }

    @Test
    void missingValue_isADistinctValue() {
        Charge missing = policies.charges("network", "net", Arrays.asList("192.0.2.0/24", null))
                .get(0);
        Charge empty =
                policies.charges("network", "net", List.of("192.0.2.0/24", "")).get(0);

        assertThat(missing.key()).isNotEqualTo(empty.key());
    }

    @Test
    void unknownNames_areReported() {
        assertThatThrownBy(() -> policies.charges("netwrk", null, List.of()))
                .hasMessage("policy: netwrk (expected: a policy that is in use; did you mean network?)");
        assertThatThrownBy(() -> policies.charges("api", "user", List.of("acme", "ann")))
                .hasMessage("limit: user (expected: one of plan, secrets, users; did you mean users?)");
        assertThatThrownBy(() -> policies.charges("api", "plan", List.of()))
                .hasMessage("key: 0 values (expected: those of [tenant])");
        assertThatThrownBy(() -> policies.counters("apis")).hasMessageStartingWith("policy: apis (expected: ");
    }

    @Test
    void counters_knowWhichPoliciesShareThem() {
        assertThat(policies.counters("beside")).containsExactly("shared-1h");
        assertThat(policies.counters("network")).hasSize(3).contains("shared-1h");
        assertThat(policies.sharingCounters("network")).containsExactly("beside");
        assertThat(policies.sharingCounters("api")).isEmpty();
    }

    @Test
    void replicas_listPoliciesThatWaitForThem() throws PolicyErrors {
        Policies waiting = Policies.parse("p.yaml", """
                version: 1
                policies:
                  - { name: login, replicas: 2, limits: [ { key: [user], token_bucket: 5/h } ] }
                  - { name: api, limits: [ { key: [user], token_bucket: 5/h } ] }
                """);
        assertThat(waiting.replicas()).isEqualTo(Map.of("login", 2));
    }
}
