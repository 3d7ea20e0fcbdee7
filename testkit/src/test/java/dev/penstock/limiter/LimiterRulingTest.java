package dev.penstock.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Action;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.MemoryEngine;
import dev.penstock.Permit;
import dev.penstock.Policy;
import dev.penstock.PolicySet;
import dev.penstock.PolicyVersion;
import dev.penstock.Request;
import dev.penstock.Retry;
import dev.penstock.Ruling;
import dev.penstock.Settlement;
import dev.penstock.Terms;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What policies say beside their limits: lists, actions, versions. */
class LimiterRulingTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Request BOB = Request.of("user", "bob");
    private static final PolicyVersion VERSION = new PolicyVersion(7, "cafe");

    private final ManualClock clock = new ManualClock();
    private final List<Decision> told = new ArrayList<>();

    /** An engine that must not be asked to decide. */
    private final ForwardingEngine unasked =
            new ForwardingEngine(MemoryEngine.builder().clock(clock).build()) {
                @Override
                public Reply<Decision> decide(Ask ask) {
                    throw new AssertionError("asked for " + ask);
                }
            };

    private Limiter limiter(Ruling.Verdict verdict) {
        Ruling ruling = new Ruling(verdict, "guests", VERSION);
        return Limiter.builder(request -> Ask.ruled(ruling).forRequest(request))
                .engine(unasked)
                .clock(clock)
                .listener((request, decision) -> told.add(decision))
                .build();
    }

    @Test
    void denied_isAnsweredByTheLimiterItself() {
        Limiter limiter = limiter(Ruling.Verdict.DENY);
        List<Decision> all = List.of(
                limiter.decide(BOB.id("once")),
                limiter.decideAsync(BOB).toCompletableFuture().join(),
                limiter.acquire(BOB).decision(),
                limiter.reserve(BOB).decision(),
                limiter.await(BOB, MINUTE).toCompletableFuture().join());
        assertThat(told).containsExactlyElementsOf(all);
        assertThat(all).hasSize(5).allSatisfy(LimiterRulingTest::assertListed);
        assertListed(limiter.peek(BOB));
        assertThat(told).as("a peek is nobody's decision").hasSize(5);
        limiter.reset(BOB);
    }

    private static void assertListed(Decision decision) {
        assertThat(decision).isInstanceOfSatisfying(Denied.class, denied -> {
            assertThat(denied.reason()).isEqualTo(Denied.Reason.LISTED);
            assertThat(denied.retry()).isEqualTo(new Retry.Never());
            assertThat(denied.decidedBy()).isEqualTo(DecidedBy.POLICY);
            assertThat(denied.action()).isEqualTo(Action.DENY);
            assertThat(denied.limits()).isEmpty();
            assertThat(denied.policyVersion()).isEqualTo(VERSION);
            assertThat(denied.ruling()).isEqualTo(new Ruling(Ruling.Verdict.DENY, "guests", VERSION));
        });
    }

    @Test
    void allowed_isAPermitOverNothing() {
        try (Permit permit = limiter(Ruling.Verdict.ALLOW).acquire(BOB)) {
            assertThat(permit.isGranted()).isTrue();
            assertThat(permit.grant()).isNull();
            assertThat(permit.decision().madeAt()).isEqualTo(clock.now());
            assertThat(permit.release()).isEqualTo(Settlement.unknown());
        }
        assertThat(told).hasSize(1);
    }

    @Test
    void action_isThatOfTheBindingLimit() {
        Limiter limiter = Limiter.builder(PolicySet.of(
                        Policy.named("a").action(Action.DELAY).limit(Limit.fixedWindow(1, MINUTE), "user"),
                        Policy.named("b")
                                .action(Action.tag("slow-lane"))
                                .limit(Limit.fixedWindow(1, Duration.ofDays(1)))))
                .clock(clock)
                .build();
        assertThat(limiter.decide(BOB).isAllowed()).isTrue();
        assertThat(limiter.decide(BOB))
                .isInstanceOfSatisfying(
                        Denied.class,
                        denied -> assertThat(denied.action().word()).isEqualTo("slow-lane"));
    }

    @Test
    void version_isThatOfTheCharges() {
        Terms terms = Terms.of("p", Limit.fixedWindow(1, MINUTE));
        assertThat(versions(terms)).containsOnlyNulls();
        assertThat(versions(terms.version(VERSION))).containsOnly(VERSION);
    }

    /** Of an allowed decision, a denied one, and one of several charges. */
    private List<PolicyVersion> versions(Terms terms) {
        MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
        Charge ann = Charge.of(terms, Key.of("c", "ann"), 1);
        Charge bob = Charge.of(terms.version(null), Key.of("c", "bob"), 1);
        List<PolicyVersion> versions = new ArrayList<>();
        versions.add(engine.decide(Ask.of(ann)).policyVersion());
        versions.add(engine.decide(Ask.of(ann)).policyVersion());
        versions.add(engine.decide(Ask.of(bob, ann)).policyVersion());
        return versions;
    }
}
