package dev.penstock.server;

import dev.penstock.Guard;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRulesWatch;
import dev.penstock.server.internal.metrics.Gauges;
import dev.penstock.server.internal.net.Port;
import dev.penstock.server.internal.net.TlsCertificates;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** How a node stands at present, for its metrics and for those who ask whether it is ready. */
final class NodeState {
    private static final double MILLIS_A_SECOND = 1e3;

    private final NodeEngine engine;
    private final PolicyWatch policies;
    private final @Nullable EnvoyRulesWatch rules;
    private final @Nullable TlsCertificates tls;
    private final Map<String, Port> ports = new ConcurrentSkipListMap<>();

    /**
     * @param rules for Envoy; null where the policies decide what it asks
     * @param tls null: in clear
     */
    NodeState(NodeEngine engine, PolicyWatch policies, @Nullable EnvoyRulesWatch rules, @Nullable TlsCertificates tls) {
        this.engine = engine;
        this.policies = policies;
        this.rules = rules;
        this.tls = tls;
    }

    /** A port that is open now. */
    void opened(String name, Port port) {
        ports.put(name, port);
    }

    /** The numbers of those that are open, by name. */
    Map<String, Integer> ports() {
        Map<String, Integer> numbers = new TreeMap<>();
        ports.forEach((name, port) -> numbers.put(name, port.number()));
        return numbers;
    }

    /** What is not as it should be, though it serves. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!engine.isStoreUp()) {
            notes.add("the store is away: each policy's on_store_failure decides");
        }
        if (policies.failure() != null) {
            notes.add("the policy files cannot be used: version "
                    + policies.version().number() + " stays in use");
        }
        if (rules != null && rules.failure() != null) {
            notes.add("the files of envoy.rules cannot be used: version "
                    + rules.rules().version().number() + " stays in use");
        }
        if (tls != null && tls.failure() != null) {
            notes.add("the files of tls cannot be used: the certificate before stays in use");
        }
        return notes;
    }

    void tell(MetricSnapshots.Builder into) {
        into.metricSnapshot(Gauges.named(
                        "penstock_store_up", "1 while the store is asked, 0 while failure modes decide.")
                .dataPoint(Gauges.point(Labels.of("store", engine.engine().name()), engine.isStoreUp() ? 1 : 0))
                .build());
        Guard guard = engine.guard();
        Guard.Stats stats = guard == null ? new Guard.Stats(0, 0) : guard.stats();
        into.metricSnapshot(Gauges.of(
                "penstock_settlements_waiting",
                "Settlements of permits that wait for the store to be back.",
                stats.waitingSettlements()));
        into.metricSnapshot(Gauges.counter(
                "penstock_settlements_lost",
                "Settlements that the store will never be told of; such permits expire there.",
                stats.lostSettlements()));
        into.metricSnapshot(Gauges.of(
                "penstock_policies_version",
                "Counts the versions of the policies that this node has loaded.",
                policies.version().number()));
        into.metricSnapshot(Gauges.named(
                        "penstock_policies_info",
                        "1, with the hash of the policies: the same on every node that has them.")
                .dataPoint(Gauges.point(Labels.of("hash", policies.version().hash()), 1))
                .build());
        into.metricSnapshot(Gauges.of(
                "penstock_policies_failing",
                "1 while the policy files cannot be used, and a version before them is.",
                policies.failure() == null ? 0 : 1));
        if (rules != null) {
            into.metricSnapshot(Gauges.of(
                    "penstock_envoy_rules_failing",
                    "1 while the files of envoy.rules cannot be used, and a version before them is; only with such files.",
                    rules.failure() == null ? 0 : 1));
        }
        into.metricSnapshot(connections());
        if (tls != null) {
            into.metricSnapshot(Gauges.of(
                    "penstock_tls_certificate_valid_until_seconds",
                    "When the certificate in use ends, in seconds since 1970; only with TLS.",
                    tls.validUntil().toEpochMilli() / MILLIS_A_SECOND));
            into.metricSnapshot(Gauges.counter(
                    "penstock_tls_failures",
                    "Changes of the files of tls that could not be used; only with TLS.",
                    tls.failures()));
        }
    }

    private GaugeSnapshot connections() {
        GaugeSnapshot.Builder all = Gauges.named("penstock_connections", "Connections that are open, by port.");
        ports.forEach((name, port) -> all.dataPoint(Gauges.point(Labels.of("port", name), port.connections())));
        return all.build();
    }
}
