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

/**
 * Creates registries that push their metrics to an OTLP receiver, on their own thread, and once more when they are
 * closed.
 */
public final class OtlpRegistry {
    /** Timeouts for the receiver. They bound how long closing can take. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger(OtlpRegistry.class.getName());

    private OtlpRegistry() {}

    /** @param region the region of this node, or null to omit it */
    static MeterRegistry start(OtlpSettings settings, @Nullable String region) {
        OtlpMetricsSender http = new OtlpHttpMetricsSender(new HttpUrlConnectionSender(CONNECT_TIMEOUT, READ_TIMEOUT));
        return OtlpMeterRegistry.builder(new Config(settings, region))
                .metricsSender(new LoggingSender(http, settings.url()))
                .build();
    }

    /** Logs the first failure to send and the first success after it. Micrometer would log every failure. */
    private static final class LoggingSender implements OtlpMetricsSender {
        private final OtlpMetricsSender sender;
        private final URI url;
        private boolean isFailing;

        LoggingSender(OtlpMetricsSender sender, URI url) {
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

    /**
     * Configures the registry. Options that are not set here come from OpenTelemetry's environment variables. That
     * matters mostly for headers, which may contain a secret.
     */
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
