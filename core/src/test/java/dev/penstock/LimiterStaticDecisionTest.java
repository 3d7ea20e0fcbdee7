package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied.Action;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.Reply;
import dev.penstock.spi.StaticDecision;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The parts of policies other than limits: lists, actions, versions. */
class LimiterStaticDecisionTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Request BOB = Request.of("user", "bob");
    private static final PolicyVersion VERSION = new PolicyVersion(7, "cafe");

    private final ManualClock clock = new ManualClock();
    private final List<Decision> told = new ArrayList<>();

    /** An engine that must not be asked for a decision. */
    private final ForwardingEngine unasked =
            new ForwardingEngine(MemoryEngine.builder().clock(clock).build()) {
                @Override
                public Reply<Decision> decide(Ask ask) {
                    throw new AssertionError("asked for " + ask);
                }
            };

    private Limiter limiter(StaticDecision.Verdict verdict) {
        StaticDecision staticDecision = new StaticDecision(verdict, "guests", VERSION);
        return Limiter.builder(request -> Ask.of(staticDecision).forRequest(request))
                .engine(unasked)
                .clock(clock)
                .listener((request, decision) -> told.add(decision))
                .build();
    }

    @Test
    void denied_engineIsNotAsked() {
        Limiter limiter = limiter(StaticDecision.Verdict.DENY);
        List<Decision> all = List.of(
                limiter.decide(BOB.id("once")),
                limiter.decideAsync(BOB).toCompletableFuture().join(),
                limiter.acquire(BOB).decision(),
                limiter.reserve(BOB).decision(),
                limiter.await(BOB, MINUTE).toCompletableFuture().join());
        assertThat(told).containsExactlyElementsOf(all);
        assertThat(all).hasSize(5).allSatisfy(LimiterStaticDecisionTest::assertListed);
        assertListed(limiter.peek(BOB));
        assertThat(told).as("listeners see no peeks").hasSize(5);
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
            assertThat(denied.staticDecision())
                    .isEqualTo(new StaticDecision(StaticDecision.Verdict.DENY, "guests", VERSION));
        });
    }

    @Test
    void allowed_permitHoldsNothing() {
        try (Permit permit = limiter(StaticDecision.Verdict.ALLOW).acquire(BOB)) {
            assertThat(permit.isGranted()).isTrue();
            assertThat(permit.permitHandle()).isNull();
            assertThat(permit.decision().madeAt()).isEqualTo(clock.now());
            assertThat(permit.release()).isEqualTo(Settlement.unknown());
        }
        assertThat(told).hasSize(1);
    }

    @Test
    void action_ofTheBindingLimit_isReturned() {
        Limiter limiter = Limiter.builder(Policy.setOf(
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
    void version_ofTheCharges_isReturned() {
        LimitSettings settings = LimitSettings.of("p", Limit.fixedWindow(1, MINUTE));
        assertThat(versions(settings)).containsOnlyNulls();
        assertThat(versions(settings.version(VERSION))).containsOnly(VERSION);
    }

    /** Returns the versions of an allowed decision, of a denied one, and of one with several charges. */
    private List<PolicyVersion> versions(LimitSettings settings) {
        MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
        Charge ann = Charge.of(settings, Key.of("c", "ann"), 1);
        Charge bob = Charge.of(settings.version(null), Key.of("c", "bob"), 1);
        List<PolicyVersion> versions = new ArrayList<>();
        versions.add(engine.decide(Ask.of(ann)).policyVersion());
        versions.add(engine.decide(Ask.of(ann)).policyVersion());
        versions.add(engine.decide(Ask.of(bob, ann)).policyVersion());
        return versions;
    }
}
