package dev.penstock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemSchedulerTest {
    private static final int TASKS = 1_000;

    @Test
    void after_manyTasksDueTogether_runOnAFewThreads() throws Exception {
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

    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void releaseAll() {
        release.countDown();
    }

    private void hang() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 100})
    void after_hangingTasks_doNotStopOthers(int hanging) throws Exception {
        CountDownLatch others = new CountDownLatch(100);
        try {
            for (int i = 0; i < hanging; i++) {
                Scheduler.system().after(Duration.ofMillis(1), this::hang);
            }
            for (int i = 0; i < 100; i++) {
                Scheduler.system().after(Duration.ofMillis(2), others::countDown);
            }
            assertThat(others.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            release.countDown();
        }
    }

    @Test
    void after_moreTasksHangThanThreads_runWhenOneEnds() throws Exception {
        CountDownLatch other = new CountDownLatch(1);
        for (int i = 0; i < SchedulerThreads.MOST + 10; i++) {
            Scheduler.system().after(Duration.ZERO, this::hang);
        }
        Scheduler.system().after(Duration.ZERO, other::countDown);
        release.countDown();
        assertThat(other.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void runCallback_moreHangThanThreads_timersStillRun() throws Exception {
        CountDownLatch handedOver = new CountDownLatch(SchedulerThreads.MOST + 10);
        for (int i = 0; i < SchedulerThreads.MOST + 10; i++) {
            Scheduler.system().after(Duration.ZERO, () -> {
                SystemScheduler.INSTANCE.runCallback(this::hang);
                handedOver.countDown();
            });
        }
        assertThat(handedOver.await(1, TimeUnit.MINUTES)).isTrue();
        CountDownLatch other = new CountDownLatch(1);
        Scheduler.system().after(Duration.ofMillis(1), other::countDown);
        assertThat(other.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void runCallback_someHang_othersRunOnOtherThreads() throws Exception {
        CompletableFuture<String> thread = new CompletableFuture<>();
        for (int i = 0; i < 2 * SchedulerThreads.USUAL; i++) {
            Scheduler.system().after(Duration.ZERO, () -> SystemScheduler.INSTANCE.runCallback(this::hang));
        }
        Scheduler.system()
                .after(
                        Duration.ZERO,
                        () -> SystemScheduler.INSTANCE.runCallback(
                                () -> thread.complete(Thread.currentThread().getName())));
        assertThat(thread.get(1, TimeUnit.MINUTES)).isEqualTo("penstock-callbacks");
    }

    @Test
    void runCallback_onAnotherThread_runsAtOnce() {
        Thread[] ran = new Thread[1];
        SystemScheduler.INSTANCE.runCallback(() -> ran[0] = Thread.currentThread());
        assertThat(ran[0]).isSameAs(Thread.currentThread());
    }
}
