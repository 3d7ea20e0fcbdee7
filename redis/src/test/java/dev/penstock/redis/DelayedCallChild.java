package dev.penstock.redis;

import dev.penstock.spi.Scheduler;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Lets a thousand pauses end at the same time, and prints how many threads that took. */
final class DelayedCallChild {
    private static final int PAUSES = 1_000;

    private DelayedCallChild() {}

    public static void main(String[] arguments) {
        DelayedCall pause = new DelayedCall(Scheduler.system(), Duration.ofMillis(300));
        long before = ManagementFactory.getThreadMXBean().getTotalStartedThreadCount();
        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < PAUSES; i++) {
            int number = i;
            calls.add(pause.then(() -> CompletableFuture.completedFuture(number)));
        }
        calls.forEach(CompletableFuture::join);
        System.out.println(ManagementFactory.getThreadMXBean().getTotalStartedThreadCount() - before);
    }
}
