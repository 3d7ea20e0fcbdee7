package dev.penstock.server;

import dev.penstock.engine.NewKeyBudget;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a {@code PenstockServer}: {@code ServerSettings.of(path).withRedis(uri)}.
 *
 * <p>Immutable. {@link SettingsReader} reads them from flags, a file and the environment.
 *
 * @param at the address of the main port
 * @param admin the admin port
 * @param policies policy files, or directories whose {@code *.yaml} and {@code *.yml} files are used
 * @param redis the store of the limits; null counts in this process, for this node only
 * @param redisUse how the node uses that store
 * @param engine how the engines of the node decide
 * @param tokens the accepted tokens; if empty, anyone may call
 * @param hosts the host names under which web pages may call the main port if there are no tokens
 * @param tls the files for TLS; null serves without it
 * @param nodes how many nodes share the limits; null uses the number that Redis reports
 * @param redisNewKeys the maximum number of new long-lived keys (kept for more than a minute) that each policy may
 *     create in Redis per second, on each node; null for no maximum
 * @param deadline how long a decision waits for Redis
 * @param clients bounds on the resources that clients may use
 * @param permits bounds on the permits that callers hold
 * @param warmUp when the service is ready after a start
 * @param drain how the service shuts down
 * @param observe settings for the recording of decisions
 */
public record ServerSettings(
        ListenAddress at,
        AdminSettings admin,
        List<Path> policies,
        @Nullable RedisUri redis,
        RedisSettings redisUse,
        EngineSettings engine,
        List<Secret> tokens,
        List<String> hosts,
        @Nullable TlsSettings tls,
        AddressSettings address,
        HeaderSettings headers,
        GateSettings gate,
        EnvoySettings envoy,
        @Nullable Integer nodes,
        @Nullable Integer redisNewKeys,
        Duration deadline,
        LogFormat logFormat,
        ClientSettings clients,
        PermitSettings permits,
        WarmUpSettings warmUp,
        DrainSettings drain,
        ObserveSettings observe) {
    /** All addresses of the machine, port 8080. */
    public static final ListenAddress DEFAULT_AT = new ListenAddress("0.0.0.0", 8080);

    public static final Duration DEFAULT_DEADLINE = Duration.ofMillis(100);

    public static final int MOST_NODES = 10_000;

    public ServerSettings {
        Expect.present(at, "at");
        Expect.present(admin, "admin");
        policies = List.copyOf(policies);
        Expect.present(redisUse, "redisUse");
        Expect.present(engine, "engine");
        tokens = List.copyOf(tokens);
        hosts = List.copyOf(hosts);
        Expect.present(address, "address");
        Expect.present(headers, "headers");
        Expect.present(gate, "gate");
        Expect.present(envoy, "envoy");
        Expect.present(logFormat, "log.format");
        Expect.present(clients, "clients");
        Expect.present(permits, "permits");
        Expect.present(warmUp, "warm_up");
        Expect.present(drain, "drain");
        Expect.present(observe, "observe");
        Expect.micros(deadline, Ask.LONGEST_WAIT, "deadline");
        Expect.that(
                gate.longestDelay().compareTo(clients.slowest()) < 0,
                "gate.longest_delay",
                Durations.text(gate.longestDelay()),
                "less than clients.slowest, after which the call gets 503");
        if (nodes != null) {
            Expect.between(nodes, 1, MOST_NODES, "nodes");
        }
        if (redisNewKeys != null) {
            Expect.between(redisNewKeys, 1, NewKeyBudget.MOST_PER_SECOND, "redis_new_keys");
        }
        Expect.that(!policies.isEmpty(), "policies", "none", "at least one file or directory");
        Expect.that(!at.meets(admin.at()), "admin.port", admin.at().port(), "a port other than port");
        ListenAddress metrics = admin.metrics();
        Expect.that(
                metrics == null || !at.meets(metrics),
                "metrics.port",
                metrics == null ? null : metrics.port(),
                "a port other than port");
    }

    /** Returns the default settings with these policies. Limits are counted in this process. */
    public static ServerSettings of(Path... policies) {
        return new ServerSettings(
                DEFAULT_AT,
                AdminSettings.DEFAULT,
                List.of(policies),
                null,
                RedisSettings.DEFAULT,
                EngineSettings.DEFAULT,
                List.of(),
                List.of(),
                null,
                AddressSettings.DEFAULT,
                HeaderSettings.DEFAULT,
                GateSettings.DEFAULT,
                EnvoySettings.DEFAULT,
                null,
                NewKeyBudget.DEFAULT_PER_SECOND,
                DEFAULT_DEADLINE,
                LogFormat.PLAIN,
                ClientSettings.DEFAULT,
                PermitSettings.DEFAULT,
                WarmUpSettings.DEFAULT,
                DrainSettings.DEFAULT,
                ObserveSettings.DEFAULT);
    }

    public ServerSettings withAt(ListenAddress other) {
        return with(copy -> copy.at = other);
    }

    public ServerSettings withAdmin(AdminSettings other) {
        return with(copy -> copy.admin = other);
    }

    public ServerSettings withRedis(@Nullable RedisUri other) {
        return with(copy -> copy.redis = other);
    }

    public ServerSettings withRedisUse(RedisSettings other) {
        return with(copy -> copy.redisUse = other);
    }

    public ServerSettings withEngine(EngineSettings other) {
        return with(copy -> copy.engine = other);
    }

    public ServerSettings withTokens(List<Secret> other) {
        return with(copy -> copy.tokens = other);
    }

    public ServerSettings withHosts(List<String> other) {
        return with(copy -> copy.hosts = other);
    }

    public ServerSettings withTls(@Nullable TlsSettings other) {
        return with(copy -> copy.tls = other);
    }

    public ServerSettings withAddress(AddressSettings other) {
        return with(copy -> copy.address = other);
    }

    public ServerSettings withHeaders(HeaderSettings other) {
        return with(copy -> copy.headers = other);
    }

    public ServerSettings withGate(GateSettings other) {
        return with(copy -> copy.gate = other);
    }

    public ServerSettings withEnvoy(EnvoySettings other) {
        return with(copy -> copy.envoy = other);
    }

    public ServerSettings withClients(ClientSettings other) {
        return with(copy -> copy.clients = other);
    }

    public ServerSettings withPermits(PermitSettings other) {
        return with(copy -> copy.permits = other);
    }

    public ServerSettings withWarmUp(WarmUpSettings other) {
        return with(copy -> copy.warmUp = other);
    }

    public ServerSettings withDrain(DrainSettings other) {
        return with(copy -> copy.drain = other);
    }

    public ServerSettings withObserve(ObserveSettings other) {
        return with(copy -> copy.observe = other);
    }

    public ServerSettings withNodes(@Nullable Integer other) {
        return with(copy -> copy.nodes = other);
    }

    public ServerSettings withRedisNewKeys(@Nullable Integer other) {
        return with(copy -> copy.redisNewKeys = other);
    }

    public ServerSettings withDeadline(Duration other) {
        return with(copy -> copy.deadline = other);
    }

    private ServerSettings with(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return copy.settings();
    }

    /** A mutable copy of the settings, used to change one of them. */
    private static final class Copy {
        private ListenAddress at;
        private AdminSettings admin;
        private List<Path> policies;
        private @Nullable RedisUri redis;
        private RedisSettings redisUse;
        private EngineSettings engine;
        private List<Secret> tokens;
        private List<String> hosts;
        private @Nullable TlsSettings tls;
        private AddressSettings address;
        private HeaderSettings headers;
        private GateSettings gate;
        private EnvoySettings envoy;
        private @Nullable Integer nodes;
        private @Nullable Integer redisNewKeys;
        private Duration deadline;
        private LogFormat logFormat;
        private ClientSettings clients;
        private PermitSettings permits;
        private WarmUpSettings warmUp;
        private DrainSettings drain;
        private ObserveSettings observe;

        Copy(ServerSettings of) {
            at = of.at;
            admin = of.admin;
            policies = of.policies;
            redis = of.redis;
            redisUse = of.redisUse;
            engine = of.engine;
            tokens = of.tokens;
            hosts = of.hosts;
            tls = of.tls;
            address = of.address;
            headers = of.headers;
            gate = of.gate;
            envoy = of.envoy;
            nodes = of.nodes;
            redisNewKeys = of.redisNewKeys;
            deadline = of.deadline;
            logFormat = of.logFormat;
            clients = of.clients;
            permits = of.permits;
            warmUp = of.warmUp;
            drain = of.drain;
            observe = of.observe;
        }

        ServerSettings settings() {
            return new ServerSettings(
                    at,
                    admin,
                    policies,
                    redis,
                    redisUse,
                    engine,
                    tokens,
                    hosts,
                    tls,
                    address,
                    headers,
                    gate,
                    envoy,
                    nodes,
                    redisNewKeys,
                    deadline,
                    logFormat,
                    clients,
                    permits,
                    warmUp,
                    drain,
                    observe);
        }
    }
}
