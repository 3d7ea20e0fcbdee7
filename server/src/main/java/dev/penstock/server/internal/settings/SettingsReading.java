package dev.penstock.server.internal.settings;

import dev.penstock.FailureMode;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.internal.Expect;
import dev.penstock.policy.address.IpRanges;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.AddressSettings;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.AdminToken;
import dev.penstock.server.ClientSettings;
import dev.penstock.server.DrainSettings;
import dev.penstock.server.EngineSettings;
import dev.penstock.server.EnvoySettings;
import dev.penstock.server.GateSettings;
import dev.penstock.server.HeaderSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.LogFormat;
import dev.penstock.server.MetricSettings;
import dev.penstock.server.ObserveSettings;
import dev.penstock.server.OtlpSettings;
import dev.penstock.server.PermitSettings;
import dev.penstock.server.RedisSettings;
import dev.penstock.server.RedisUri;
import dev.penstock.server.Secret;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.SettingErrors;
import dev.penstock.server.SettingsInForce;
import dev.penstock.server.TlsSettings;
import dev.penstock.server.WarmUpSettings;
import dev.penstock.server.internal.settings.Values.Value;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds the settings from all sources, or reports all errors in them. */
public final class SettingsReading {
    private final Problems problems = new Problems();
    private final Values values;

    private SettingsReading(Map<String, List<String>> flags, @Nullable Path config, Map<String, String> environment) {
        List<Setting<?>> settings = SettingTable.settings();
        List<Source> sources = new ArrayList<>(List.of(new Flags(flags, problems)));
        Path file = config != null ? config : configOf(environment);
        if (file != null) {
            sources.add(ConfigFile.read(file, settings, problems));
        }
        Variables variables = new Variables(environment, problems);
        variables.refuseUnknown(settings);
        sources.add(variables);
        this.values = new Values(sources, problems);
    }

    /**
     * Reads the settings.
     *
     * @param flags the values of each flag, by the setting's name
     * @param config the configuration file; null if a variable names it or there is none
     * @param examples the policies to use if no source names any; may be empty
     */
    public static SettingsInForce read(
            Map<String, List<String>> flags,
            @Nullable Path config,
            Map<String, String> environment,
            List<Path> examples)
            throws SettingErrors {
        SettingsReading reading = new SettingsReading(flags, config, environment);
        ServerSettings settings = reading.assemble(examples);
        if (settings == null) {
            throw new SettingErrors(reading.problems.all());
        }
        return new SettingsInForce(settings, reading.values.entries());
    }

    private @Nullable Path configOf(Map<String, String> environment) {
        String text = environment.get(Variables.CONFIG);
        if (text != null && text.isBlank()) {
            problems.add(Variables.CONFIG, "empty (expected: a file)");
            return null;
        }
        return text == null ? null : Path.of(text);
    }

    private @Nullable ServerSettings assemble(List<Path> examples) {
        Value<List<Path>> policies = examples.isEmpty()
                ? values.of(SettingTable.POLICIES, List.of(), Values.DEFAULT)
                : values.of(SettingTable.POLICIES, examples, "examples");
        ListenAddress at = listening(SettingTable.PORT, SettingTable.HOST);
        Value<RedisUri> redis = values.of(SettingTable.REDIS);
        Value<PasswordFile> redisPassword = values.of(SettingTable.REDIS_PASSWORD_FILE);
        RedisSettings redisUse = redisUse();
        Value<Duration> deadline = values.of(SettingTable.DEADLINE);
        Value<Integer> nodes = values.of(SettingTable.NODES);
        Value<Optional<Integer>> newKeys = values.of(SettingTable.REDIS_NEW_KEYS);
        EngineSettings engine = engine();
        List<Secret> tokens = tokens();
        Value<List<String>> hosts = values.of(SettingTable.HOSTS);
        TlsSettings tls = tls();
        AdminSettings admin = admin();
        MetricSettings metrics = metrics();
        AddressSettings address = address();
        HeaderSettings headers = headers();
        GateSettings gate = gate();
        EnvoySettings envoy = envoy();
        ClientSettings clients = clients();
        Value<Duration> longestHold = values.of(SettingTable.LONGEST_HOLD);
        WarmUpSettings warmUp = warmUp();
        DrainSettings drain = drain();
        Value<LogFormat> logFormat = values.of(SettingTable.LOG_FORMAT);
        ObserveSettings observe = observe(metrics);
        if (at == null
                || admin == null
                || redisUse == null
                || engine == null
                || tokens == null
                || address == null
                || headers == null
                || gate == null
                || envoy == null
                || clients == null
                || warmUp == null
                || drain == null
                || observe == null) {
            return null;
        }
        ServerSettings settings = values.together(() -> new ServerSettings(
                at,
                admin,
                policies.get(),
                redis(redis.orNull(), redisPassword.orNull(), redisUse),
                redisUse,
                engine,
                tokens,
                hosts.get(),
                tls,
                address,
                headers,
                gate,
                envoy,
                nodes.orNull(),
                newKeys.get().orElse(null),
                deadline.get(),
                logFormat.get(),
                clients,
                new PermitSettings(longestHold.get()),
                warmUp,
                drain,
                observe));
        return problems.count() > 0 ? null : settings;
    }

    private @Nullable ListenAddress listening(Setting<Integer> portSetting, Setting<String> hostSetting) {
        Value<Integer> port = values.of(portSetting);
        Value<String> host = values.of(hostSetting);
        return values.together(() -> new ListenAddress(host.get(), port.get()));
    }

    private @Nullable RedisSettings redisUse() {
        Value<String> prefix = values.of(SettingTable.REDIS_PREFIX);
        Value<Path> ca = values.of(SettingTable.REDIS_CA);
        Value<Path> certificate = values.of(SettingTable.REDIS_CERTIFICATE);
        Value<Path> key = values.of(SettingTable.REDIS_KEY);
        return values.together(() -> new RedisSettings(prefix.get(), ca.orNull(), certificate.orNull(), key.orNull()));
    }

    private @Nullable EngineSettings engine() {
        Value<Duration> maxWait = values.of(EngineSettingTable.MAX_WAIT);
        Value<Duration> rememberFor = values.of(EngineSettingTable.REMEMBER_FOR);
        Value<Integer> memoryKeys = values.of(EngineSettingTable.MEMORY_KEYS);
        Value<WhenFull> whenFull = values.of(EngineSettingTable.MEMORY_WHEN_FULL);
        Value<Duration> localFor = values.of(EngineSettingTable.OUTAGE_LOCAL_FOR);
        Value<FailureMode> then = values.of(EngineSettingTable.OUTAGE_THEN);
        Value<Integer> outageKeys = values.of(EngineSettingTable.OUTAGE_KEYS);
        Value<Integer> denyCacheKeys = values.of(EngineSettingTable.DENY_CACHE_KEYS);
        Value<Integer> leaseKeys = values.of(EngineSettingTable.LEASE_KEYS);
        return values.together(() -> new EngineSettings(
                rememberFor.get(),
                maxWait.get(),
                new EngineSettings.Memory(memoryKeys.orNull(), whenFull.get()),
                new EngineSettings.Outage(localFor.get(), then.get(), outageKeys.orNull()),
                denyCacheKeys.get(),
                leaseKeys.get()));
    }

    private static @Nullable RedisUri redis(
            @Nullable RedisUri uri, @Nullable PasswordFile password, RedisSettings use) {
        if (uri == null) {
            Expect.that(password == null, "redis_password_file", "given without redis", "redis as well");
            boolean hasPrefix = !use.prefix().equals(RedisSettings.DEFAULT.prefix());
            Expect.that(!hasPrefix, "redis_prefix", "given without redis", "redis as well");
            Expect.that(!use.hasTlsFiles(), "redis_tls", "given without redis", "redis as well");
            return null;
        }
        Expect.that(!use.hasTlsFiles() || uri.usesTls(), "redis_tls", "given for an address without TLS", "rediss://");
        return password == null ? uri : uri.withPassword(password.password());
    }

    private @Nullable List<Secret> tokens() {
        Value<List<Secret>> tokens = values.of(SettingTable.TOKENS);
        Value<TokenFile> file = values.of(SettingTable.TOKENS_FILE);
        return values.together(() -> {
            List<Secret> given = tokens.orNull();
            TokenFile read = file.orNull();
            TokenFile.checkOneOf(SettingTable.TOKENS, given, SettingTable.TOKENS_FILE, read);
            return read != null ? read.tokens() : given != null ? given : List.of();
        });
    }

    private @Nullable TlsSettings tls() {
        Value<Path> certificate = values.of(SettingTable.TLS_CERTIFICATE);
        Value<Path> key = values.of(SettingTable.TLS_KEY);
        Value<Path> clientCa = values.of(SettingTable.TLS_CLIENT_CA);
        Value<Boolean> admin = values.of(SettingTable.TLS_ADMIN);
        return values.together(() -> TlsSettings.of(
                certificate.orNull(),
                key.orNull(),
                clientCa.orNull(),
                admin.get() ? TlsSettings.Ports.MAIN_AND_ADMIN : TlsSettings.Ports.MAIN));
    }

    private @Nullable AdminSettings admin() {
        ListenAddress at = listening(SettingTable.ADMIN_PORT, SettingTable.ADMIN_HOST);
        Value<Secret> token = values.of(SettingTable.ADMIN_TOKEN);
        Value<TokenFile> file = values.of(SettingTable.ADMIN_TOKEN_FILE);
        Value<List<Secret>> readTokens = values.of(SettingTable.ADMIN_READ_TOKENS);
        Value<TokenFile> readFile = values.of(SettingTable.ADMIN_READ_TOKENS_FILE);
        Value<Optional<Path>> audit = values.of(SettingTable.ADMIN_AUDIT);
        Value<Integer> metricsPort = values.of(SettingTable.METRICS_PORT);
        Value<String> metricsHost = values.of(SettingTable.METRICS_HOST);
        return values.together(() -> {
            AdminTokenList tokens = new AdminTokenList();
            Secret alone = token.orNull();
            tokens.add(
                    AdminToken.Role.WRITE,
                    SettingTable.ADMIN_TOKEN,
                    alone == null ? null : List.of(alone),
                    SettingTable.ADMIN_TOKEN_FILE,
                    file.orNull());
            tokens.add(
                    AdminToken.Role.READ,
                    SettingTable.ADMIN_READ_TOKENS,
                    readTokens.orNull(),
                    SettingTable.ADMIN_READ_TOKENS_FILE,
                    readFile.orNull());
            ListenAddress metrics = metrics(metricsPort.orNull(), metricsHost.orNull());
            Path written = audit.get().orElse(null);
            return at == null ? null : new AdminSettings(at, tokens.all(), written, metrics);
        });
    }

    private static @Nullable ListenAddress metrics(@Nullable Integer port, @Nullable String host) {
        if (port == null) {
            Expect.that(host == null, SettingTable.METRICS_HOST.name(), host, "nothing, or metrics.port as well");
            return null;
        }
        return new ListenAddress(host == null ? AdminSettings.USUAL_METRICS_HOST : host, port);
    }

    private @Nullable ClientSettings clients() {
        Value<Integer> connections = values.of(SettingTable.CLIENT_CONNECTIONS);
        Value<Integer> streams = values.of(SettingTable.CLIENT_STREAMS);
        Value<Integer> waiting = values.of(SettingTable.CLIENT_WAITING);
        Value<Integer> body = values.of(SettingTable.CLIENT_BODY);
        Value<Integer> header = values.of(SettingTable.CLIENT_HEADER);
        Value<Integer> buffers = values.of(SettingTable.CLIENT_BUFFERS);
        Value<Duration> slowest = values.of(SettingTable.CLIENT_SLOWEST);
        Value<Duration> idle = values.of(SettingTable.CLIENT_IDLE);
        return values.together(() -> new ClientSettings(
                connections.get(),
                streams.get(),
                waiting.get(),
                body.get(),
                header.get(),
                buffers.get(),
                slowest.get(),
                idle.get()));
    }

    private @Nullable WarmUpSettings warmUp() {
        Value<Duration> target = values.of(SettingTable.WARM_UP_TARGET);
        Value<Duration> atMost = values.of(SettingTable.WARM_UP_AT_MOST);
        return values.together(() -> new WarmUpSettings(target.get(), atMost.get()));
    }

    private @Nullable DrainSettings drain() {
        Value<Duration> delay = values.of(SettingTable.DRAIN_DELAY);
        Value<Duration> atMost = values.of(SettingTable.DRAIN_AT_MOST);
        return values.together(() -> new DrainSettings(delay.get(), atMost.get()));
    }

    /** @param metrics the metrics; null if they have errors, which makes the result null */
    private @Nullable ObserveSettings observe(@Nullable MetricSettings metrics) {
        Value<String> region = values.of(SettingTable.REGION);
        Value<Path> log = values.of(SettingTable.DECISION_LOG);
        Value<Integer> denials = values.of(SettingTable.LOGGED_DENIALS);
        Value<Integer> others = values.of(SettingTable.LOGGED_OTHERS);
        Value<Integer> hot = values.of(SettingTable.HOT_PER_SECOND);
        Value<URI> traces = values.of(SettingTable.TRACES);
        return metrics == null
                ? null
                : values.together(() -> new ObserveSettings(
                        region.orNull(),
                        log.orNull(),
                        denials.get(),
                        others.get(),
                        hot.get(),
                        metrics,
                        traces.orNull(),
                        true));
    }

    private @Nullable MetricSettings metrics() {
        Value<Integer> tenants = values.of(SettingTable.METRICS_TENANTS);
        Value<Integer> series = values.of(SettingTable.METRICS_SERIES);
        Value<URI> url = values.of(SettingTable.OTLP_URL);
        Value<Duration> interval = values.of(SettingTable.OTLP_INTERVAL);
        return values.together(() -> {
            URI to = url.orNull();
            OtlpSettings otlp = to == null ? null : new OtlpSettings(to, interval.get());
            return new MetricSettings(tenants.get(), series.get(), otlp);
        });
    }

    private @Nullable AddressSettings address() {
        Value<AddressSettings.Header> header = values.of(SettingTable.ADDRESS_HEADER);
        Value<Integer> hops = values.of(SettingTable.TRUSTED_HOPS);
        Value<List<IpRanges.Range>> proxies = values.of(SettingTable.TRUSTED_PROXIES);
        return values.together(() -> new AddressSettings(header.get(), hops.get(), proxies.get()));
    }

    private @Nullable HeaderSettings headers() {
        Value<Boolean> rateLimit = values.of(SettingTable.RATELIMIT);
        Value<Boolean> xRateLimit = values.of(SettingTable.X_RATELIMIT);
        Value<HeaderSettings.Reset> reset = values.of(SettingTable.RESET);
        Value<Boolean> retryAfter = values.of(SettingTable.RETRY_AFTER);
        Value<Duration> jitter = values.of(SettingTable.RETRY_AFTER_JITTER);
        return values.together(() ->
                new HeaderSettings(rateLimit.get(), xRateLimit.get(), reset.get(), retryAfter.get(), jitter.get()));
    }

    private @Nullable GateSettings gate() {
        Value<GateSettings.DeniedStatus> deniedStatus = values.of(SettingTable.DENIED_STATUS);
        Value<GateSettings.RequestHeaders> requestHeaders = values.of(SettingTable.GATE_REQUEST_HEADERS);
        Value<Map<String, String>> attributes = values.of(SettingTable.GATE_ATTRIBUTES);
        Value<Duration> longestDelay = values.of(SettingTable.GATE_LONGEST_DELAY);
        return values.together(
                () -> new GateSettings(deniedStatus.get(), requestHeaders.get(), attributes.get(), longestDelay.get()));
    }

    private @Nullable EnvoySettings envoy() {
        Value<List<Path>> rules = values.of(SettingTable.ENVOY_RULES);
        Value<Boolean> merge = values.of(SettingTable.ENVOY_MERGE_DOMAINS);
        Value<Boolean> countDenied = values.of(SettingTable.ENVOY_COUNT_DENIED);
        Value<EnvoySettings.Headers> headers = values.of(SettingTable.ENVOY_HEADERS);
        Value<Boolean> metadata = values.of(SettingTable.ENVOY_METADATA);
        return values.together(() -> new EnvoySettings(
                rules.get(),
                merge.get() ? SameDomain.MERGED : SameDomain.REFUSED,
                countDenied.get(),
                headers.get(),
                metadata.get()));
    }
}
