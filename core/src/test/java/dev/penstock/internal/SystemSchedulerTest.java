package dev.penstock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SystemSchedulerTest {
    private static final int TASKS = 1_000;

    @Test
    void after_manyTasksDueTogether_runOnAFewThreadsOfItsOwn() throws Exception {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch done = new CountDownLatch(TASKS);
        for (int i = 0; i < TASKS; i++) {
            Scheduler.system().after(Duration.ofMillis(i % 2 == 0 ? 0 : 50), () -> {
                threads.add(Thread.currentThread());
                done.countDown();
            });
        }

        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(threads).hasSizeLessThanOrEqualTo(8).allSatisfy(thread -> {
            assertThat(thread.getName()).isEqualTo("penstock-scheduler");
            assertThat(thread.isDaemon()).isTrue();
        });
    }

    @Test
    void after_taskThatHangs_delaysNoOther() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(100);
        try {
            Scheduler.system().after(Duration.ofMillis(1), () -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            for (int i = 0; i < 100; i++) {
                Scheduler.system().after(Duration.ofMillis(2), others::countDown);
            }
            assertThat(others.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            release.countDown();
        }
    }
}
