package dev.penstock.server.internal.metrics;

import dev.penstock.server.OtlpSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A registry that sends what it is told to a receiver of OTLP, on a thread of its own, and once more when it is closed. */
final class OtlpRegistry {
    /** A receiver that does not answer holds up closing for so long. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(3);

    private OtlpRegistry() {}

    /** @param region where this node is; null where that is not said */
    static MeterRegistry start(OtlpSettings settings, @Nullable String region) {
        return OtlpMeterRegistry.builder(new Config(settings, region))
                .metricsSender(new OtlpHttpMetricsSender(new HttpUrlConnectionSender(CONNECT_TIMEOUT, READ_TIMEOUT)))
                .build();
    }

    /** What is not said here is as the variables of OpenTelemetry have it: headers, above all, that hold a secret. */
    private record Config(OtlpSettings settings, @Nullable String region) implements OtlpConfig {
        @Override
        public @Nullable String get(String key) {
            return null;
        }

        @Override
        public String url() {
            return settings.url().toString();
        }

        @Override
        public Duration step() {
            return settings.interval();
        }

        @Override
        public Map<String, String> resourceAttributes() {
            Map<String, String> all = new LinkedHashMap<>();
            all.put("service.name", "penstock");
            if (region != null) {
                all.put("cloud.region", region);
            }
            Map<String, String> given = OtlpConfig.super.resourceAttributes();
            given.forEach((name, value) -> {
                if (!name.equals("service.name") || !value.startsWith("unknown_service")) {
                    all.put(name, value);
                }
            });
            return all;
        }
    }
}
