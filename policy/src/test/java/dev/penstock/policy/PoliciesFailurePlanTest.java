package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import dev.penstock.FailurePlan.Unseen;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoliciesFailurePlanTest {
    private static final FailurePlan LOCAL = FailurePlan.of(FailureMode.LOCAL);
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

    private static Sample sample(String onStoreFailure) throws PolicyErrors {
        return Sample.of(
                "policies:",
                "  - name: p",
                "    limits: [ { key: user, token_bucket: 1/s } ]",
                onStoreFailure.isEmpty() ? "" : "    on_store_failure: " + onStoreFailure);
    }

    private static FailurePlan plan(String onStoreFailure) throws PolicyErrors {
        return sample(onStoreFailure).ask("user", "ann").charge(0).settings().onStoreFailure();
    }

    private static List<String> explained(String onStoreFailure) throws PolicyErrors {
        return sample(onStoreFailure)
                .policies()
                .explain(Sample.request("user", "ann"))
                .policies()
                .get(0)
                .limits()
                .get(0)
                .notes();
    }

    @Test
    void onStoreFailure_singleWord_isTheModeForTheWholeOutage() throws PolicyErrors {
        assertThat(plan("")).isEqualTo(LOCAL);
        assertThat(plan("local")).isEqualTo(LOCAL);
        assertThat(plan("open")).isEqualTo(FailurePlan.of(FailureMode.OPEN));
        assertThat(plan("closed")).isEqualTo(FailurePlan.of(FailureMode.CLOSED));
    }

    @Test
    void onStoreFailure_mapping_isThePlan() throws PolicyErrors {
        assertThat(plan("{ mode: local }")).isEqualTo(LOCAL);
        assertThat(plan("{ mode: local, unseen: share }")).isEqualTo(LOCAL);
        assertThat(plan("{ mode: local, unseen: one }")).isEqualTo(LOCAL.unseen(Unseen.ONE));
        assertThat(plan("{ mode: local, for: 5m, then: closed }"))
                .isEqualTo(LOCAL.atMost(FIVE_MINUTES, FailureMode.CLOSED));
        assertThat(plan("{ mode: open, for: 5m, then: local, unseen: one }"))
                .isEqualTo(FailurePlan.of(FailureMode.OPEN)
                        .atMost(FIVE_MINUTES, FailureMode.LOCAL)
                        .unseen(Unseen.ONE));
        assertThat(plan("{ mode: closed, for: 5m, then: open }"))
                .isEqualTo(FailurePlan.of(FailureMode.CLOSED).atMost(FIVE_MINUTES, FailureMode.OPEN));
    }

    @Test
    void explain_showsAPlanThatIsNotTheDefault() throws PolicyErrors {
        assertThat(explained("local")).isEmpty();
        assertThat(explained("closed")).containsExactly("if the store fails: closed");
        assertThat(explained("{ mode: open, for: 5m, then: local, unseen: one }"))
                .containsExactly("if the store fails: open for 5m, then local; unseen keys start with one permit");
    }
}
