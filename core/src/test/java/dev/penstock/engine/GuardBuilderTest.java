package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.Ask;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class GuardBuilderTest {
    private final Guard.Builder builder = Guard.builder(MemoryEngine.create());

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void settings_outOfRange_areRejected() {
        assertRefused(() -> builder.deadline(Duration.ZERO), "deadline: PT0S (expected: > 0)");
        assertRefused(() -> builder.nodes(0), "nodes: 0 (expected: > 0)");
        assertRefused(() -> builder.localFor(Duration.ofSeconds(-1)), "localFor: PT-1S (expected: > 0)");
        assertRefused(() -> builder.then(null), "then: null (expected: a value)");
        assertRefused(() -> builder.maxKeys(0), "maxKeys: 0 (expected: > 0)");
    }

    @Test
    void name_isTheNameOfTheStore() {
        assertThat(new GuardedStore().guard.name()).isEqualTo("scripted");
    }

    @Test
    void warmUp_chargesNothing_andDoesNotChangeTheGuard() {
        GuardedStore guarded = new GuardedStore();
        guarded.guard.warmUp();
        assertThat(guarded.store.asks).isNotEmpty().allMatch(ask -> ask.purpose() == Ask.Purpose.PEEK);
        assertThat(guarded.events).isEmpty();
        assertThat(guarded.clock.waitingTasks()).isZero();
        guarded.allowed(ask("ann"));
    }
}
