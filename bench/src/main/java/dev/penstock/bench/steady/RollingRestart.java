package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Wanted;
import dev.penstock.bench.server.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Restarts three nodes over one Redis one after the other, after they have been under load for a while. Like a load
 * balancer, the client polls {@code /health/ready} every 100 ms to route requests, and resends a request that a node
 * refused without processing it.
 *
 * <p>All nodes share this machine, and a starting node uses much of it. The rate is therefore a third of what the nodes
 * can do together here, at most {@value #MOST_PER_SECOND}/s: the case is about restarts, not about overload.
 */
final class RollingRestart {
    private static final int NODES = 3;
    private static final int MOST_PER_SECOND = 5_000;
    private static final int SHARE_OF_CAPACITY = 3;
    private static final double LONGEST_SECONDS = 240;
    private static final long POLL_MILLIS = 100;
    private static final long BETWEEN_MILLIS = 2_000;

    /** A node with its current process and its routing state. */
    private static final class Member {
        private volatile ServiceProcess process;
        private final LoadNode node;

        Member(ServiceProcess process) {
            this.process = process;
            this.node = new LoadNode(process.port());
        }
    }

    private final SteadyRig rig;
    private final List<Member> members = new ArrayList<>();
    private volatile boolean isOver;
    private SteadyResult.Fallback fallback = SteadyResult.Fallback.NONE;

    private RollingRestart(SteadyRig rig) {
        this.rig = rig;
    }

    static SteadyResult run(String name, SteadyRig rig) throws BenchFailure {
        return new RollingRestart(rig).run(name);
    }

    private SteadyResult run(String name) throws BenchFailure {
        try {
            rig.redis().command("FLUSHALL");
            for (int i = 0; i < NODES; i++) {
                members.add(new Member(rig.startBeside(rig.redis().uri(), Map.of())));
            }
            members.forEach(this::pollReadiness);
            List<LoadNode> nodes = members.stream().map(member -> member.node).toList();
            RequestTemplate template = SteadyRig.template(Wire.HTTP2);
            rig.generator().run(template, new LoadPlan.Closed(64, rig.choose(60, 30)), nodes);
            int seconds = rig.choose(5, 2);
            double capacity = (double) rig.generator()
                            .run(template, new LoadPlan.Closed(64, seconds), nodes)
                            .size()
                    / seconds;
            double perSecond = Math.min(MOST_PER_SECOND, capacity / SHARE_OF_CAPACITY);
            LoadSession session = rig.generator()
                    .start(template, new LoadPlan.Open(RateShape.constant(perSecond, LONGEST_SECONDS)), nodes);
            for (int i = 0; i < rig.choose(NODES, 1); i++) {
                ServiceLoad.pauseMillis(BETWEEN_MILLIS);
                restart(members.get(i));
            }
            ServiceLoad.pauseMillis(BETWEEN_MILLIS);
            session.stop();
            LoadSamples samples = LoadGenerator.await(session.ended());
            members.forEach(member -> countFallback(member.process));
            Map<String, Double> figures = SteadyResult.figures(samples, fallback);
            figures.put("capacity_per_second", capacity);
            figures.put("sent_per_second", perSecond);
            Map<String, Wanted> wanted = ServiceLoad.nothingWrong();
            return new SteadyResult(name, figures, wanted, SteadyResult.timeline(samples), List.of());
        } finally {
            isOver = true;
            members.forEach(member -> member.process.close());
        }
    }

    private void restart(Member member) throws BenchFailure {
        countFallback(member.process);
        member.process.close();
        ServiceProcess next = rig.startBeside(rig.redis().uri(), Map.of());
        member.node.moveTo(next.port());
        member.process = next;
    }

    private void countFallback(ServiceProcess process) {
        fallback = fallback.and(ServiceLoad.fallback(process));
    }

    private void pollReadiness(Member member) {
        Thread thread = new Thread(
                () -> {
                    while (!isOver) {
                        member.node.setReady(member.process.isReady());
                        ServiceLoad.pauseMillis(POLL_MILLIS);
                    }
                },
                "ready-watch");
        thread.setDaemon(true);
        thread.start();
    }
}
