package dev.penstock.server.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The gateways that can ask whether to forward a request, and how to start them. */
enum GatewayKind {
    NGINX("nginx", "nginx", 200, 500, "-p . -c gateway.conf -e error.log") {
        @Override
        Map<String, String> files(GatewayDocs docs, UnaryOperator<String> ports) {
            String config = docs.block("nginx").replace("events {}\nhttp {\n", IN_ITS_DIRECTORY);
            return Map.of("gateway.conf", ports.apply(config));
        }
    },
    CADDY("Caddy", "caddy", 502, 431, "run --config Caddyfile") {
        @Override
        Map<String, String> files(GatewayDocs docs, UnaryOperator<String> ports) {
            return Map.of("Caddyfile", ports.apply(docs.block("caddyfile")));
        }
    },
    HAPROXY("HAProxy", "haproxy", 200, 400, "-db -f haproxy.cfg") {
        @Override
        Map<String, String> files(GatewayDocs docs, UnaryOperator<String> ports) {
            return Map.of(
                    "haproxy.cfg", ports.apply(docs.block("haproxy")), "penstock.lua", ports.apply(docs.block("lua")));
        }
    },
    TRAEFIK("Traefik", "traefik", 500, 431, "--configFile=traefik.yml") {
        @Override
        Map<String, String> files(GatewayDocs docs, UnaryOperator<String> ports) {
            return Map.of("traefik.yml", ports.apply(ONE_ENTRY), "dynamic.yml", ports.apply(docs.block("yaml")));
        }
    },
    TRAEFIK_PLUGIN("Traefik with the plugin", "traefik", 503, 200, "--configFile=traefik.yml") {
        @Override
        Map<String, String> files(GatewayDocs docs, UnaryOperator<String> ports) {
            Map<String, String> files = new HashMap<>();
            files.put("traefik.yml", ports.apply(docs.block("yml")));
            files.put("dynamic.yml", ports.apply(docs.block("yaml")));
            for (String name : List.of(".traefik.yml", "go.mod", "penstock.go")) {
                files.put("plugins-local/src/penstock/" + name, read(PLUGIN.resolve(name)));
            }
            return files;
        }
    };

    private static final Path PLUGIN = Path.of("..", "deploy", "traefik", "penstock");

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Settings that nginx needs in order to run beside others and without privileges. They are not part of the
     * document.
     */
    private static final String IN_ITS_DIRECTORY = """
            daemon off;
            pid nginx.pid;
            events {}
            http {
                access_log off;
                client_body_temp_path tmp-body;
                proxy_temp_path tmp-proxy;
                fastcgi_temp_path tmp-fastcgi;
                uwsgi_temp_path tmp-uwsgi;
                scgi_temp_path tmp-scgi;
            """;

    /** Traefik's static configuration, which the document's part is added to. */
    private static final String ONE_ENTRY = """
            entryPoints: { web: { address: "127.0.0.1:8000" } }
            providers: { file: { filename: dynamic.yml } }
            """;

    final String title;
    final String program;
    final int statusWithoutPenstock;
    final int statusOfLargeHeader;
    private final String arguments;

    GatewayKind(String title, String program, int statusWithoutPenstock, int statusOfLargeHeader, String arguments) {
        this.title = title;
        this.program = program;
        this.statusWithoutPenstock = statusWithoutPenstock;
        this.statusOfLargeHeader = statusOfLargeHeader;
        this.arguments = arguments;
    }

    String[] arguments() {
        return arguments.split(" ", -1);
    }

    /** Returns the gateway's files by name, as the document shows them. */
    abstract Map<String, String> files(GatewayDocs docs, UnaryOperator<String> ports);
}
