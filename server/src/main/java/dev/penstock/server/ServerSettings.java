package dev.penstock.server;

import dev.penstock.engine.NewKeyBudget;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be chosen about a {@code PenstockServer}: {@code ServerSettings.of(path).withRedis(uri)}.
 *
 * <p>Immutable. {@link SettingsReader} makes it of flags, a file and the environment.
 *
 * @param at where the main port is
 * @param admin the port of those who run the service
 * @param policies files, or directories whose {@code *.yaml} and {@code *.yml} are meant
 * @param redis where limits are counted; null: in this process, for this node alone
 * @param tokens of which a caller has to show one; none: everybody may call
 * @param hosts names by which pages in a browser may call the main port if there are no tokens
 * @param tls null: without
 * @param nodes how many share the limits; null: as many as Redis tells
 * @param redisNewKeys how many new keys that are kept for more than a minute each policy may make in Redis per second, on each
 *     node; null: any number
 * @param deadline how long Redis may take over a decision
 * @param clients how much of the service callers may take up
 * @param permits what callers may hold
 * @param warmUp when it is ready
 * @param drain how it ends
 * @param observe what is made visible of decisions
 */
public record ServerSettings(
        ListenAddress at,
        AdminSettings admin,
        List<Path> policies,
        @Nullable RedisUri redis,
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
    /** On every address of the machine. */
    public static final ListenAddress DEFAULT_AT = new ListenAddress("0.0.0.0", 8080);

    public static final Duration DEFAULT_DEADLINE = Duration.ofMillis(100);

    public static final int MOST_NODES = 10_000;

    public ServerSettings {
        Expect.present(at, "at");
        Expect.present(admin, "admin");
        policies = List.copyOf(policies);
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
        if (nodes != null) {
            Expect.between(nodes, 1, MOST_NODES, "nodes");
        }
        if (redisNewKeys != null) {
            Expect.between(redisNewKeys, 1, NewKeyBudget.MOST_PER_SECOND, "redis_new_keys");
        }
        Expect.that(!policies.isEmpty(), "policies", "none", "at least one file or directory");
        Expect.that(!at.meets(admin.at()), "admin.port", admin.at().port(), "another than port");
        ListenAddress metrics = admin.metrics();
        Expect.that(
                metrics == null || !at.meets(metrics),
                "metrics.port",
                metrics == null ? null : metrics.port(),
                "another than port");
    }

    /** The defaults, with these policies, counted in this process. */
    public static ServerSettings of(Path... policies) {
        return new ServerSettings(
                DEFAULT_AT,
                AdminSettings.DEFAULT,
                List.of(policies),
                null,
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

    /** Settings while one of them is changed. */
    private static final class Copy {
        private ListenAddress at;
        private AdminSettings admin;
        private List<Path> policies;
        private @Nullable RedisUri redis;
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
