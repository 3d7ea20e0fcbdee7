package dev.penstock.server;

import dev.penstock.Ask;
import dev.penstock.internal.Expect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
 * @param tls null: without
 * @param nodes how many share the limits; null: as many as Redis tells
 * @param deadline how long Redis may take over a decision
 * @param clients how much of the service callers may take up
 * @param drain how it ends
 */
public record ServerSettings(
        Listening at,
        AdminSettings admin,
        List<Path> policies,
        @Nullable RedisUri redis,
        List<Secret> tokens,
        @Nullable TlsSettings tls,
        AddressSettings address,
        HeaderSettings headers,
        GateSettings gate,
        @Nullable Integer nodes,
        Duration deadline,
        LogFormat logFormat,
        ClientSettings clients,
        DrainSettings drain) {
    /** On every address of the machine. */
    public static final Listening DEFAULT_AT = new Listening("0.0.0.0", 8080);

    public static final Duration DEFAULT_DEADLINE = Duration.ofMillis(10);

    public static final int MOST_NODES = 10_000;

    public ServerSettings {
        Expect.present(at, "at");
        Expect.present(admin, "admin");
        policies = List.copyOf(policies);
        tokens = List.copyOf(tokens);
        Expect.present(address, "address");
        Expect.present(headers, "headers");
        Expect.present(gate, "gate");
        Expect.present(logFormat, "log.format");
        Expect.present(clients, "clients");
        Expect.present(drain, "drain");
        Expect.micros(deadline, Ask.LONGEST_WAIT, "deadline");
        if (nodes != null) {
            Expect.between(nodes, 1, MOST_NODES, "nodes");
        }
        Expect.that(!policies.isEmpty(), "policies", "none", "at least one file or directory");
        Expect.that(!at.meets(admin.at()), "admin.port", admin.at().port(), "another than port");
        Listening metrics = admin.metrics();
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
                null,
                AddressSettings.DEFAULT,
                HeaderSettings.DEFAULT,
                GateSettings.DEFAULT,
                null,
                DEFAULT_DEADLINE,
                LogFormat.PLAIN,
                ClientSettings.DEFAULT,
                DrainSettings.DEFAULT);
    }

    public ServerSettings withAt(Listening other) {
        return new ServerSettings(
                other, admin, policies, redis, tokens, tls, address, headers, gate, nodes, deadline, logFormat, clients,
                drain);
    }

    public ServerSettings withAdmin(AdminSettings other) {
        return new ServerSettings(
                at, other, policies, redis, tokens, tls, address, headers, gate, nodes, deadline, logFormat, clients,
                drain);
    }

    public ServerSettings withRedis(@Nullable RedisUri other) {
        return new ServerSettings(
                at, admin, policies, other, tokens, tls, address, headers, gate, nodes, deadline, logFormat, clients,
                drain);
    }

    public ServerSettings withTokens(List<Secret> other) {
        return new ServerSettings(
                at, admin, policies, redis, other, tls, address, headers, gate, nodes, deadline, logFormat, clients,
                drain);
    }

    public ServerSettings withTls(@Nullable TlsSettings other) {
        return new ServerSettings(
                at, admin, policies, redis, tokens, other, address, headers, gate, nodes, deadline, logFormat, clients,
                drain);
    }

    public ServerSettings withAddress(AddressSettings other) {
        return new ServerSettings(
                at, admin, policies, redis, tokens, tls, other, headers, gate, nodes, deadline, logFormat, clients,
                drain);
    }

    public ServerSettings withHeaders(HeaderSettings other) {
        return new ServerSettings(
                at, admin, policies, redis, tokens, tls, address, other, gate, nodes, deadline, logFormat, clients,
                drain);
    }

    public ServerSettings withGate(GateSettings other) {
        return new ServerSettings(
                at, admin, policies, redis, tokens, tls, address, headers, other, nodes, deadline, logFormat, clients,
                drain);
    }

    public ServerSettings withNodes(@Nullable Integer other) {
        return new ServerSettings(
                at, admin, policies, redis, tokens, tls, address, headers, gate, other, deadline, logFormat, clients,
                drain);
    }

    public ServerSettings withDeadline(Duration other) {
        return new ServerSettings(
                at, admin, policies, redis, tokens, tls, address, headers, gate, nodes, other, logFormat, clients,
                drain);
    }

    public ServerSettings withClients(ClientSettings other) {
        return new ServerSettings(
                at, admin, policies, redis, tokens, tls, address, headers, gate, nodes, deadline, logFormat, other,
                drain);
    }

    public ServerSettings withDrain(DrainSettings other) {
        return new ServerSettings(
                at, admin, policies, redis, tokens, tls, address, headers, gate, nodes, deadline, logFormat, clients,
                other);
    }
}
