package dev.penstock.bench.soak.hostile;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.ChildProcess;
import dev.penstock.bench.harness.Machine;
import dev.penstock.bench.harness.SourceTree;
import dev.penstock.bench.steady.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs a hostile soak from its start to its report. */
public final class HostileSoak {
    /** The default length. */
    public static final int MINUTES = 5;

    /** The default number of honest requests per second. */
    public static final int PER_SECOND = 300;

    private static final int SERVICES = 2;
    private static final long SAMPLE_SECONDS = 5;
    private static final long PROGRESS_SECONDS = 30;
    private static final long WARM_UP_SECONDS = 20;
    private static final String TOKEN = "the-token-of-a-hostile-soak";
    private static final int SHUTDOWN_PATIENCE_SECONDS = 90;

    private final Duration length;
    private final int perSecond;
    private final List<HostileMoment> moments = new ArrayList<>();
    private final List<Long> starts = new ArrayList<>();

    private HostileSoak(Duration length, int perSecond) {
        this.length = length;
        this.perSecond = perSecond;
    }

    /**
     * Returns the exit status: 0 if every bound was kept, otherwise 1.
     *
     * @param json receives all figures
     * @param plot receives the picture
     */
    public static int run(Duration length, int perSecond, Path json, Path plot) throws BenchFailure {
        SourceTree tree = SourceTree.find();
        try {
            Files.createDirectories(tree.benchLog().getParent());
            Files.writeString(tree.benchLog(), "");
            HostileReport report = new HostileReport(new HostileSoak(length, perSecond).run(tree));
            System.out.print("\n" + report.table());
            String commit = tree.commit().orElse("unknown") + (tree.dirty() ? ", changed" : "");
            Files.writeString(json, report.json(commit, Machine.here()));
            Files.writeString(plot, report.svg());
            System.out.println(
                    "\n" + (report.isGood() ? "every bound was kept" : "FAILED") + "; see " + plot + " and " + json);
            return report.isGood() ? 0 : 1;
        } catch (IOException e) {
            throw new BenchFailure("a file could not be written", e);
        }
    }

    private HostileResult run(SourceTree tree) throws BenchFailure, IOException {
        Path policies = Files.createTempFile("penstock-hostile-", ".yaml");
        Files.writeString(policies, HostilePolicies.TEXT);
        List<ServiceProcess> services = new ArrayList<>();
        try (SoakStore store = new SoakStore()) {
            System.out.println("Building the service if needed, and starting " + SERVICES + " of them ...");
            build(tree.root(), policies);
            boolean isPreferred = store.prefer();
            if (!isPreferred) {
                System.out.println(
                        "chrt is not permitted, so Redis shares the processors, and the services run at nice 10");
            }
            start(tree, policies, store, isPreferred)
                    .close(); // the first start creates the class archive, so it stops slowly
            for (int i = 0; i < SERVICES; i++) {
                services.add(start(tree, policies, store, isPreferred));
            }
            return attacked(services, store);
        } finally {
            services.forEach(ServiceProcess::close);
            Files.delete(policies);
        }
    }

    private static void build(Path root, Path policies) throws BenchFailure {
        String launcher = root.resolve("penstock").toString();
        if (ChildProcess.output(launcher, "serve", "--policies", policies.toString(), "--print-config")
                .isEmpty()) {
            throw new BenchFailure("penstock serve --print-config failed (expected: the settings)");
        }
    }

    private static ServiceProcess start(SourceTree tree, Path policies, SoakStore store, boolean isStorePreferred)
            throws BenchFailure {
        Map<String, String> environment = Map.of(ServiceProcess.TOKEN_VARIABLE, TOKEN);
        return isStorePreferred
                ? ServiceProcess.start(tree.root(), policies, store.uri(), environment, tree.benchLog())
                : ServiceProcess.startNice(tree.root(), policies, store.uri(), environment, tree.benchLog());
    }

    private HostileResult attacked(List<ServiceProcess> services, SoakStore store) throws BenchFailure {
        List<Target> targets = services.stream()
                .map(service -> new Target(service.port(), service.adminPort()))
                .toList();
        warmUp(targets);
        List<Attack> attacks = Attacks.against(targets);
        AttackSchedule schedule = new AttackSchedule(length.toSeconds(), attacks.size());
        HonestLoad load = new HonestLoad(targets, perSecond);
        try {
            try (load) {
                load.start();
                for (long second = 1; second <= length.toSeconds(); second++) {
                    awaitSecond(load, second);
                    while (starts.size() < schedule.activeAt(second)) {
                        attacks.get(starts.size()).start();
                        starts.add(second);
                    }
                    if (second % SAMPLE_SECONDS == 0) {
                        sample(services, store, load, second);
                    }
                }
            }
            List<HostileResult.AttackResult> results = new ArrayList<>();
            for (int i = 0; i < starts.size(); i++) {
                Attack attack = attacks.get(i);
                results.add(new HostileResult.AttackResult(
                        attack.name(), starts.get(i), attack.counts().totals()));
            }
            long longestCommandMillis = store.longestCommandMillis();
            return new HostileResult(
                    length,
                    perSecond,
                    load.counts().totals(),
                    load.counts().firstBad(),
                    moments,
                    results,
                    ends(services),
                    longestCommandMillis);
        } finally {
            attacks.subList(0, starts.size()).forEach(Attack::stop);
        }
    }

    /**
     * Warms up the clients, which run in a fresh JVM. Their latency while code is compiled would say nothing about the
     * services.
     */
    private void warmUp(List<Target> targets) {
        System.out.println("Warming up the clients for " + WARM_UP_SECONDS + " s ...");
        try (HonestLoad load = new HonestLoad(targets, perSecond)) {
            load.start();
            awaitSecond(load, WARM_UP_SECONDS);
        }
    }

    private static void awaitSecond(HonestLoad load, long second) {
        while (load.seconds() < second) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private void sample(List<ServiceProcess> services, SoakStore store, HonestLoad load, long second)
            throws BenchFailure {
        List<ServiceSample> samples = new ArrayList<>();
        try {
            for (ServiceProcess service : services) {
                samples.add(ServiceSample.of(service));
            }
        } catch (UncheckedIOException e) {
            throw new BenchFailure("a service no longer answers on its admin port (see bench/target/bench.log)", e);
        }
        HostileMoment moment = new HostileMoment(second, load.counts().takeLatency(), samples, store.sample());
        moments.add(moment);
        if (second % PROGRESS_SECONDS == 0) {
            progress(moment, load.counts().totals());
        }
    }

    private void progress(HostileMoment moment, Map<HonestOutcome, Long> honest) {
        System.out.printf(
                Locale.ROOT,
                "%4d:%02d  %d attacks; honest %s, p50 %.1f ms, p99 %.1f ms; resident %s MiB; "
                        + "Redis %.0f MiB, %,d keys, processor time %.1f s, waiting for it %.1f s, stolen %.1f s%n",
                moment.second() / 60,
                moment.second() % 60,
                starts.size(),
                honest.entrySet().stream()
                        .filter(entry -> entry.getValue() > 0)
                        .map(entry -> entry.getKey().name().toLowerCase(Locale.ROOT) + " " + entry.getValue())
                        .toList(),
                moment.latency().p50Millis(),
                moment.latency().p99Millis(),
                moment.services().stream()
                        .map(service -> Math.round(service.residentMegabytes()))
                        .toList(),
                moment.store().usedMegabytes(),
                moment.store().keys(),
                moment.store().cpuSeconds(),
                moment.store().starvedSeconds(),
                moment.store().stolenSeconds());
    }

    /** Samples the services and stops them while the attackers are still active. */
    private static List<ServiceEnd> ends(List<ServiceProcess> services) throws BenchFailure {
        List<ServiceEnd> standing = services.stream().map(HostileSoak::standing).toList();
        List<CompletableFuture<Duration>> shutdowns =
                services.stream().map(ServiceProcess::terminate).toList();
        List<ServiceEnd> ends = new ArrayList<>();
        for (int i = 0; i < standing.size(); i++) {
            ServiceEnd end = standing.get(i);
            Duration shutdown = shutdowns
                    .get(i)
                    .completeOnTimeout(
                            Duration.ofSeconds(SHUTDOWN_PATIENCE_SECONDS), SHUTDOWN_PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
            ends.add(new ServiceEnd(
                    end.isAlive(),
                    end.answer(),
                    end.isChanged(),
                    end.peakResidentMegabytes(),
                    end.maxHeapMegabytes(),
                    shutdown));
        }
        return ends;
    }

    private static ServiceEnd standing(ServiceProcess service) {
        long startNanos = System.nanoTime();
        boolean isReady = service.isReady();
        Duration answer = Duration.ofNanos(System.nanoTime() - startNanos);
        try {
            boolean isShadow = service.admin("/admin/shadow").contains("true");
            boolean isBlocked = service.admin("/admin/keys/blocked").contains("alice");
            return new ServiceEnd(
                    service.isAlive() && isReady,
                    answer,
                    isShadow || isBlocked,
                    service.peakResidentMegabytes(),
                    service.metrics().maxHeapBytes() / (double) (1 << 20),
                    Duration.ZERO);
        } catch (UncheckedIOException e) {
            return new ServiceEnd(false, answer, false, service.peakResidentMegabytes(), 0, Duration.ZERO);
        }
    }
}
