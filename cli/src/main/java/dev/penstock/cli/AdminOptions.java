package dev.penstock.cli;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a service runs that is to be asked, and what is shown to it. */
final class AdminOptions {
    static final String TOKEN = "PENSTOCK_ADMIN_TOKEN";

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8081",
            description = "The admin port of the service; default: ${DEFAULT-VALUE}.")
    private String url = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "What it asks for; others on this machine can see it here, so that " + TOKEN + " is better.")
    private @Nullable String token;

    @Option(names = "--json", description = "Answer with the JSON object that the service told.")
    private boolean json;

    boolean json() {
        return json;
    }

    AdminClient client(Map<String, String> environment) throws UsageError {
        boolean isFine = url.matches("https?://[^/?#@\\s]+/?");
        if (!isFine) {
            throw new UsageError("--url", url, "http://HOST:PORT");
        }
        try {
            String shown = token == null ? environment.get(TOKEN) : token;
            return new AdminClient(URI.create(url.replaceFirst("/$", "")), shown);
        } catch (IllegalArgumentException e) {
            throw new UsageError("--url", url, "http://HOST:PORT");
        }
    }
}
