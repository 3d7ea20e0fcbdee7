package dev.penstock.server.internal.metrics;

import dev.penstock.server.OtlpSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A registry that sends what it is told to a receiver of OTLP, on a thread of its own, and once more when it is closed. */
public final class OtlpRegistry {
    /** A receiver that does not answer holds up closing for so long. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger(OtlpRegistry.class.getName());

    private OtlpRegistry() {}

    /** @param region where this node is; null where that is not said */
    static MeterRegistry start(OtlpSettings settings, @Nullable String region) {
        OtlpMetricsSender http = new OtlpHttpMetricsSender(new HttpUrlConnectionSender(CONNECT_TIMEOUT, READ_TIMEOUT));
        return OtlpMeterRegistry.builder(new Config(settings, region))
                .metricsSender(new LoudSender(http, settings.url()))
                .build();
    }

    /** Says once that nothing can be sent, and once that it can again; Micrometer says it each time. */
    private static final class LoudSender implements OtlpMetricsSender {
        private final OtlpMetricsSender sender;
        private final URI url;
        private boolean isFailing;

        LoudSender(OtlpMetricsSender sender, URI url) {
            this.sender = sender;
            this.url = url;
        }

        @Override
        public synchronized void send(Request request) throws Exception {
            try {
                sender.send(request);
            } catch (Exception e) {
                if (!isFailing) {
                    LOG.log(
                            Level.WARNING,
                            "metrics cannot be sent to " + url + ": " + e.getMessage() + "; trying again");
                }
                isFailing = true;
                throw e;
            }
            if (isFailing) {
                LOG.log(Level.INFO, "metrics are sent to " + url + " again");
            }
            isFailing = false;
        }
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
