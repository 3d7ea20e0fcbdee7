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

/** How a node stands at present, for its metrics and for those who ask whether it is ready. */
final class NodeState implements MeterBinder {
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
            List<String> shards = engine.shardsAway();
            notes.add(
                    shards.isEmpty()
                            ? "the store is away: each policy's on_store_failure decides"
                            : "a part of the store is away (" + String.join(", ", shards)
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
            notes.add("the files of tls cannot be used: the certificate before stays in use");
        }
        return notes;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("rate.limiter.store.up", () -> engine.isStoreUp() ? 1 : 0)
                .description("1 while the store is asked, 0 while failure modes decide.")
                .tag("store", engine.engine().name())
                .register(registry);
        Gauge.builder("rate.limiter.policies.version", () -> policies.version().number())
                .description("Counts the versions of the policies that this node has loaded.")
                .register(registry);
        Gauge.builder("rate.limiter.policies.failing", () -> policies.failure() == null ? 0 : 1)
                .description("1 while the policy files cannot be used, and a version before them is.")
                .register(registry);
        if (rules != null) {
            Gauge.builder("rate.limiter.envoy.rules.failing", () -> rules.failure() == null ? 0 : 1)
                    .description(
                            "1 while the files of envoy.rules cannot be used, and a version before them is; only with such files.")
                    .register(registry);
        }
        if (tls != null) {
            Gauge.builder(
                            "rate.limiter.tls.certificate.valid.until",
                            () -> tls.validUntil().toEpochMilli() / MILLIS_A_SECOND)
                    .description("When the certificate in use ends, in seconds since 1970; only with TLS.")
                    .baseUnit("seconds")
                    .register(registry);
            FunctionCounter.builder("rate.limiter.tls.failures", tls, TlsCertificates::failures)
                    .description("Changes of the files of tls that could not be used; only with TLS.")
                    .register(registry);
        }
    }
}
