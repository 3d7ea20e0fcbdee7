package dev.penstock.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.engine.Guard.Breaker;
import dev.penstock.spi.Scheduler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests the order of events. {@code BreakerSimulationTest} tests when the breaker opens and closes. */
class CircuitBreakerTest {
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch isClosing = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicLong now = new AtomicLong();

    private final CircuitBreaker breaker = new CircuitBreaker(
            now::get,
            Scheduler.system(),
            new CircuitBreaker.BreakerListener() {
                @Override
                public void doubted() {}

                @Override
                public void opened(long nowMicros) {
                    events.add("opened");
                }

                @Override
                public void found() {
                    events.add("found");
                }

                @Override
                public void closed(long nowMicros) {
                    isClosing.countDown();
                    await(goOn);
                    events.add("closed");
                }
            },
            () -> 0);

    @Test
    void givenUpDuringTheReportOfItsReturn_reportsBothInOrder() {
        failFor(1_000_000);
        for (int i = 0; i < BreakerThresholds.MIN_GOOD_PROBES; i++) {
            breaker.answered();
        }
        now.addAndGet(2 * BreakerThresholds.RETURN_STEP_MICROS);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(breaker::watch);
        await(isClosing);

        failFor(1_000_000);
        assertThat(breaker.state()).isEqualTo(Breaker.OPEN);
        goOn.countDown();
        closing.orTimeout(10, TimeUnit.SECONDS).join();

        assertThat(events).containsExactly("opened", "found", "closed", "opened");
    }

    private void failFor(long micros) {
        long end = now.get() + micros;
        while (now.get() < end) {
            now.addAndGet(10_000);
            breaker.failed();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
