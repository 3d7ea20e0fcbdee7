package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Short methods for use in the contracts. */
interface EngineUnderTest {
    Engine engine();

    ManualClock clock();

    static Charge charge(Limit limit, String who, long cost) {
        return Charge.of(LimitSettings.of("contract", limit), Key.of("contract", who), cost);
    }

    static Charge shadow(Limit limit, String who, long cost) {
        return Charge.of(
                LimitSettings.of("contract", limit).enforcement(Enforcement.SHADOW), Key.of("contract", who), cost);
    }

    static <T> T await(Reply<T> reply) {
        T ready = reply.ifReady();
        return Objects.requireNonNull(
                ready != null ? ready : reply.whenReady().toCompletableFuture().join());
    }

    default Decision decide(Ask ask) {
        return await(engine().decide(ask));
    }

    default Decision decide(Charge... charges) {
        return decide(Ask.of(charges));
    }

    default boolean isAllowed(Limit limit, String who, long cost) {
        return decide(charge(limit, who, cost)).isAllowed();
    }

    default Allowed allowed(Ask ask) {
        Decision decision = decide(ask);
        assertThat(decision).isInstanceOf(Allowed.class);
        return (Allowed) decision;
    }

    default Allowed allowed(Charge... charges) {
        return allowed(Ask.of(charges));
    }

    default Denied denied(Ask ask) {
        Decision decision = decide(ask);
        assertThat(decision).isInstanceOf(Denied.class);
        return (Denied) decision;
    }

    default Denied denied(Charge... charges) {
        return denied(Ask.of(charges));
    }

    default PermitHandle granted(Ask ask) {
        PermitHandle grant = allowed(ask).permitHandle();
        assertThat(grant).isNotNull();
        return Objects.requireNonNull(grant);
    }

    default Settlement settle(PermitHandle grant, @Nullable Costs actual) {
        return await(engine().settle(grant.id(), actual));
    }

    default Settlement renew(PermitHandle grant) {
        return await(engine().renew(grant.id()));
    }

    default void reset(Charge... charges) {
        await(engine().reset(Ask.of(charges)));
    }

    /** Returns the status of a limit for a user, by a peek that costs nothing. */
    default LimitStatus status(Limit limit, String who) {
        return decide(Ask.of(charge(limit, who, 0)).peek()).limits().get(0);
    }

    default long remaining(Limit limit, String who) {
        return status(limit, who).remaining();
    }

    /** Takes permits until one is denied, and returns their number. */
    default long drain(Limit limit, String who) {
        long got = 0;
        while (isAllowed(limit, who, 1)) {
            got++;
        }
        return got;
    }

    default void pass(Duration time) {
        clock().advance(time);
    }

    default LimitStatus binding(Decision decision) {
        return Objects.requireNonNull(decision.binding(), "a decision about limits has a binding one");
    }

    default Retry.NotBefore notBefore(Denied denied) {
        assertThat(denied.retry()).isInstanceOf(Retry.NotBefore.class);
        return (Retry.NotBefore) denied.retry();
    }
}
