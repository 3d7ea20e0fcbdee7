package dev.penstock.bench.soak.hostile;

import java.util.List;

/** Every attack of a hostile soak, in the order in which they begin. */
final class Attacks {
    private Attacks() {}

    static List<Attack> against(List<Target> targets) {
        return List.of(
                new PingFlood(targets),
                new PipelinedRequests(targets),
                new ClosedWindow(targets),
                new StreamResets(targets),
                new OversizedBodies(targets),
                new MalformedRequests(targets),
                new GrpcMistakes(targets),
                new SlowBodies(targets),
                new HotKeyFlood(targets),
                new FreshKeys(targets),
                new LongHolds(targets),
                new ForgedSettlements(targets),
                new FreshIdempotencyKeys(targets),
                new LargeLists(targets),
                new ExpiringHolds(targets),
                new MissingReplica(targets),
                new UnauthorizedChanges(targets),
                new RebindingPages(targets),
                new AddressGarbage(targets));
    }
}
