package dev.penstock.bench.soak;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.BenchUsageError;
import dev.penstock.bench.harness.SourceTree;
import dev.penstock.bench.soak.hostile.HostileSoak;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs a soak from its start to its report. */
public final class Soak {
    private static final int SERVICES = 2;
    private static final long SAMPLE_SECONDS = 5;
    private static final long CHANGE_SECONDS = 20;
    private static final long FAULT_SECONDS = 15;
    private static final long TOLD_SECONDS = 60;

    private final SoakOptions options;
    private final List<List<Sample>> samples = new ArrayList<>();
    private int changes;
    private int faults;

    private Soak(SoakOptions options) {
        this.options = options;
    }

    /** Returns the exit status. */
    public static int run(List<String> arguments) throws BenchUsageError, BenchFailure {
        SoakOptions options = SoakOptions.parse(arguments);
        if (options.help()) {
            System.out.print(SoakOptions.USAGE);
            return 0;
        }
        if (options.isHostile()) {
            SourceTree tree = SourceTree.find();
            return HostileSoak.run(
                    options.length(),
                    options.perSecond(),
                    options.file(tree, "soak-hostile.json"),
                    options.file(tree, "soak-hostile.svg"));
        }
        SourceTree tree = SourceTree.find();
        Path json = options.file(tree, "soak.json");
        Path plot = options.file(tree, "soak.svg");
        SoakReport report = new Soak(options).run(tree.benchLog());
        System.out.print("\n" + report.table());
        try {
            Files.writeString(json, report.json());
            Files.writeString(plot, report.svg());
        } catch (IOException e) {
            throw new BenchFailure("the report could not be written", e);
        }
        System.out.println(
                "\n" + (report.isGood() ? "flat, and no errors" : "FAILED") + "; see " + plot + " and " + json);
        return report.isGood() ? 0 : 1;
    }

    private SoakReport run(Path log) throws BenchFailure {
        List<NodeProcess> nodes = new ArrayList<>();
        try (StoreFaults store = new StoreFaults()) {
            SoakPolicies policies = new SoakPolicies(Files.createTempDirectory("penstock-soak-"));
            for (int i = 0; i < SERVICES; i++) {
                nodes.add(NodeProcess.start(policies.file(), store.uri(), log));
                samples.add(new ArrayList<>());
            }
            return underLoad(nodes, policies, store);
        } catch (IOException e) {
            throw new BenchFailure("no directory for the policies", e);
        } finally {
            nodes.forEach(NodeProcess::close);
        }
    }

    private SoakReport underLoad(List<NodeProcess> nodes, SoakPolicies policies, StoreFaults store)
            throws BenchFailure {
        List<Integer> ports = nodes.stream().map(NodeProcess::port).toList();
        SoakLoad load = new SoakLoad(ports, options.perSecond());
        try (load) {
            load.start();
            long end = options.length().toSeconds();
            for (long second = 1; second <= end; second++) {
                awaitSecond(load, second);
                boolean told = second % TOLD_SECONDS == 0;
                if (second % CHANGE_SECONDS == 0) {
                    changes++;
                    print(second, policies.change());
                }
                if (second % FAULT_SECONDS == 0) {
                    faults++;
                    print(second, store.turn());
                }
                if (second % SAMPLE_SECONDS == 0) {
                    sample(nodes, second, told);
                }
            }
        }
        return new SoakReport(options, samples, load.outcomes(), changes, (faults + 1) / 2, load.firstError());
    }

    private static void awaitSecond(SoakLoad load, long second) {
        while (load.seconds() < second) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private void sample(List<NodeProcess> nodes, long second, boolean told) throws BenchFailure {
        for (int i = 0; i < nodes.size(); i++) {
            Sample sample = nodes.get(i).sample(second);
            samples.get(i).add(sample);
            if (told) {
                print(
                        second,
                        "service " + (i + 1) + ": heap " + (sample.heapBytes() >> 20) + " MiB, " + sample.threads()
                                + " threads, " + sample.descriptors() + " descriptors");
            }
        }
    }

    private static void print(long second, String what) {
        System.out.printf("%4d:%02d  %s%n", second / 60, second % 60, what);
    }
}
