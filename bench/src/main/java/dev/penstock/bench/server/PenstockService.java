package dev.penstock.bench.server;

import dev.penstock.policy.PolicyErrors;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.ObserveSettings;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.RedisUri;
import dev.penstock.server.ServerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Penstock's service. Its own metrics report its work. */
record PenstockService(PenstockServer server) implements Measured {
    private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

    private static final Pattern REQUESTS = Pattern.compile("(?m)^rate_limiter_requests_total\\{([^}]*)\\} ([0-9.E]+)");

    /** The decision log, in the directory of the policies. */
    static final String LOG = "decisions.jsonl";

    /** Starts a service with the policies in the first argument, and with Redis if there is a second argument. */
    static PenstockService start(String contender, String[] args) throws PolicyErrors {
        ServerSettings settings = ServerSettings.of(Path.of(args[0]))
                .withAt(ANY_PORT)
                .withAdmin(new AdminSettings(ANY_PORT))
                .withObserve(observe(contender, Path.of(args[0])));
        return new PenstockService(
                PenstockServer.start(args.length > 1 ? settings.withRedis(new RedisUri(args[1])) : settings));
    }

    private static ObserveSettings observe(String contender, Path policies) {
        ObserveSettings usual = ObserveSettings.DEFAULT;
        return switch (contender) {
            case Services.BARE -> ObserveSettings.NOTHING;
            case Services.OBSERVED ->
                usual.withLog(policies.resolveSibling(LOG), usual.loggedDenials(), usual.loggedOthers());
            default -> usual;
        };
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public Counts counts() {
        URI metrics = URI.create("http://127.0.0.1:" + server.metricsPort() + "/metrics");
        try (InputStream in = metrics.toURL().openStream()) {
            return counts(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Counts counts(String metrics) {
        long all = 0;
        long allowed = 0;
        Matcher requests = REQUESTS.matcher(metrics);
        while (requests.find()) {
            long count = (long) Double.parseDouble(requests.group(2));
            all += count;
            String labels = requests.group(1);
            if (labels.contains("outcome=\"allowed\"") && labels.contains("decided_by=\"store\"")) {
                allowed += count;
            }
        }
        return Counts.now(all, allowed);
    }

    @Override
    public void close() {
        server.close();
    }
}
