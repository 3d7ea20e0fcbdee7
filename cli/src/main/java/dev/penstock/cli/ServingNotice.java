package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import dev.penstock.internal.Durations;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.RedisUri;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.TlsSettings;
import java.util.List;

/** The message of a service that has started: its addresses, its restrictions, and commands to try. */
final class ServingNotice {
    private static final int MARGIN = 10;

    private final ServerSettings settings;
    private final String address;
    private final String admin;
    private final String metrics;

    /**
     * Creates the notice.
     *
     * @param server a server that already listens
     */
    ServingNotice(ServerSettings settings, PenstockServer server) {
        this.settings = settings;
        this.address = (settings.tls() == null ? "http://" : "https://") + host(settings.at()) + ":" + server.port();
        TlsSettings tls = settings.tls();
        boolean isAdminSecure = tls != null && tls.ports() == TlsSettings.Ports.MAIN_AND_ADMIN;
        this.admin =
                (isAdminSecure ? "https://" : "http://") + host(settings.admin().at()) + ":" + server.adminPort();
        ListenAddress apart = settings.admin().metrics();
        this.metrics = apart == null ? admin : "http://" + host(apart) + ":" + server.metricsPort();
    }

    /** Returns the address at which this machine reaches the service. */
    String address() {
        return address;
    }

    private static String host(ListenAddress at) {
        return switch (at.host()) {
            case "0.0.0.0", "::" -> "localhost";
            default -> at.host().indexOf(':') < 0 ? at.host() : "[" + at.host() + "]";
        };
    }

    /**
     * Prints the notice.
     *
     * @param policies the policies in use, in one line
     */
    void print(Output out, String policies) {
        line(out, "serving", address);
        line(out, "console", admin + "/console");
        line(out, "metrics", metrics + "/metrics");
        line(out, "policies", policies);
        if (settings.warmUp().isOn()) {
            String most = Durations.text(settings.warmUp().atMost());
            line(out, "ready", "after a warm-up of " + most + " at most; requests are already answered");
        }
        RedisUri redis = settings.redis();
        if (redis != null) {
            line(out, "limits", "in Redis, " + redis + ", for all nodes together");
            if (settings.admin().tokens().isEmpty()) {
                line(
                        out,
                        "changes",
                        "on the admin port are refused until PENSTOCK_ADMIN_TOKEN is set: they affect all nodes");
            }
            return;
        }
        line(out, "limits", "in the memory of this process: a single node, whose counts are lost when it ends");
        line(out, "", "(for many nodes: --redis redis://HOST:PORT)");
    }

    private static void line(Output out, String name, String text) {
        out.text(Tone.NAME, name + " ".repeat(MARGIN - name.length()))
                .text(text)
                .end();
    }

    /** Returns commands that work with the example policies and can be pasted into a shell. */
    List<String> tries() {
        String forwarded = "-H 'X-Forwarded-Method: GET' -H 'X-Forwarded-Uri: /v1/users/7'";
        return List.of(
                "curl " + address
                        + "/v1/check -d '{\"attributes\": {\"route\": \"/v1/users/7\", \"user\": \"alice\"}}'",
                "curl -i " + address + "/v1/gate " + forwarded,
                "curl -s '" + address + "/v1/gate?[1-25]' -o /dev/null -w '%{http_code} ' " + forwarded);
    }

    void tellTries(Output out) {
        out.end();
        out.text("Open " + address
                        + " in a browser. Or try a decision, a gateway's call, and repeated calls until one is denied:")
                .end();
        tries().forEach(each -> out.text("  " + each).end());
    }
}
