package dev.penstock.server;

import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRulesWatch;
import dev.penstock.server.internal.net.Port;
import dev.penstock.server.internal.net.TlsCertificates;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The current state of a node, for its metrics and its health checks. */
final class NodeState implements MeterBinder {
    private static final double MILLIS_A_SECOND = 1e3;

    private final NodeEngine engine;
    private final PolicyWatch policies;
    private final @Nullable EnvoyRulesWatch rules;
    private final @Nullable TlsCertificates tls;
    private final Map<String, Port> ports = new ConcurrentSkipListMap<>();

    /**
     * @param rules the rules for Envoy; null if the policies decide Envoy's requests
     * @param tls the certificates; null without TLS
     */
    NodeState(NodeEngine engine, PolicyWatch policies, @Nullable EnvoyRulesWatch rules, @Nullable TlsCertificates tls) {
        this.engine = engine;
        this.policies = policies;
        this.rules = rules;
        this.tls = tls;
    }

    /** Records that a port is open. */
    void opened(String name, Port port) {
        ports.put(name, port);
    }

    /** Returns the numbers of the open ports, by name. */
    Map<String, Integer> ports() {
        Map<String, Integer> numbers = new TreeMap<>();
        ports.forEach((name, port) -> numbers.put(name, port.number()));
        return numbers;
    }

    /** Returns one line for each problem that does not stop the node from serving. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!engine.isStoreUp()) {
            List<String> shards = engine.shardsAway();
            notes.add(
                    shards.isEmpty()
                            ? "the store is unavailable: each policy's on_store_failure decides"
                            : "a part of the store is unavailable (" + String.join(", ", shards)
                                    + "): each policy's on_store_failure decides for its keys");
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
            notes.add("the TLS files cannot be used: the previous certificate stays in use");
        }
        return notes;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("rate.limiter.store.up", () -> engine.isStoreUp() ? 1 : 0)
                .description("1 while the store decides, 0 while failure modes decide.")
                .tag("store", engine.engine().name())
                .register(registry);
        Gauge.builder("rate.limiter.policies.version", () -> policies.version().number())
                .description("Number of policy versions that this node has loaded.")
                .register(registry);
        Gauge.builder("rate.limiter.policies.failing", () -> policies.failure() == null ? 0 : 1)
                .description("1 while the policy files have errors and the previous version is in use.")
                .register(registry);
        if (rules != null) {
            Gauge.builder("rate.limiter.envoy.rules.failing", () -> rules.failure() == null ? 0 : 1)
                    .description(
                            "1 while the files of envoy.rules have errors and the previous version is in use. Only with such files.")
                    .register(registry);
        }
        if (tls != null) {
            Gauge.builder(
                            "rate.limiter.tls.certificate.valid.until",
                            () -> tls.validUntil().toEpochMilli() / MILLIS_A_SECOND)
                    .description("Time at which the certificate in use expires, in seconds since 1970. Only with TLS.")
                    .baseUnit("seconds")
                    .register(registry);
            FunctionCounter.builder("rate.limiter.tls.failures", tls, TlsCertificates::failures)
                    .description("Changes of the TLS files that could not be used. Only with TLS.")
                    .register(registry);
        }
    }
}
