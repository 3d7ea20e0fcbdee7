package dev.penstock.server.internal.net;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.HttpJsonTranscodingOptions;
import dev.penstock.Clock;
import dev.penstock.internal.Expect;
import dev.penstock.server.ClientSettings;
import dev.penstock.server.Listening;
import io.netty.channel.ChannelPipeline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An address at which requests are served, within bounds, until it is closed. Closing stops listening first, so that new
 * connections are refused and none that was taken is cut; ends each that there is with its next answer; and waits until
 * nothing is under way.
 *
 * <p>Thread-safe.
 */
public final class Port implements AutoCloseable {
    /** So long nothing may be under way before it ends: what was sent before the client knew comes in within that time. */
    private static final Duration QUIET = Duration.ofMillis(100);

    private final Accepting accepting = new Accepting();
    private final Server server;
    private final @Nullable HandshakeFailures handshakes;
    private final long slowestMillis;
    private volatile boolean isEnding;

    private Port(Listening at, Bounds bounds, @Nullable TlsCertificates tls, Consumer<Routes> routes) {
        this.handshakes = tls == null ? null : new HandshakeFailures(Clock.system());
        this.slowestMillis = bounds.clients().slowest().toMillis();
        InetSocketAddress address = new InetSocketAddress(at.host(), at.port());
        ServerBuilder builder = Server.builder();
        if (tls == null) {
            builder.http(address);
        } else {
            tls.use(builder.https(address));
        }
        bounds.set(builder);
        builder.childChannelPipelineCustomizer(this::connected)
                .bossGroupFactory(accepting::named)
                .unloggedExceptionsReportInterval(Duration.ZERO) // advice to programmers, not to those who read our log
                .meterRegistry(NoopMeterRegistry.get())
                .errorHandler(new ErrorAnswers())
                .disableServerHeader()
                .disableDateHeader();
        routes.accept(Routes.of(builder, (service, context, request) -> {
            if (isEnding) {
                endAfter(context);
            }
            return service.serve(context, request);
        }));
        this.server = builder.build();
    }

    /**
     * How much may be taken up, and how long closing may take.
     *
     * @param drainAtMost how long requests under way may take when it is closed
     */
    public record Bounds(ClientSettings clients, Duration drainAtMost) {
        void set(ServerBuilder builder) {
            builder.maxRequestLength(clients.bodyBytes())
                    .requestTimeout(clients.slowest())
                    .idleTimeout(clients.idle())
                    .maxNumConnections(clients.connections())
                    .http1MaxInitialLineLength(clients.headerBytes())
                    .http1MaxHeaderSize(clients.headerBytes())
                    .http2MaxHeaderListSize(clients.headerBytes())
                    .http2MaxStreamsPerConnection(clients.streams())
                    .gracefulShutdownTimeout(QUIET.compareTo(drainAtMost) < 0 ? QUIET : drainAtMost, drainAtMost);
        }
    }

    /**
     * Listens.
     *
     * @param setting the name of what chose the port, for errors
     * @param tls null: in clear
     * @throws IllegalArgumentException where the port cannot be had
     */
    public static Port open(
            String setting, Listening at, Bounds bounds, @Nullable TlsCertificates tls, Consumer<Routes> routes) {
        Port port = new Port(at, bounds, tls, routes);
        try {
            port.server.start().join();
            return port;
        } catch (CompletionException e) {
            port.close();
            if (e.getCause() instanceof IOException cause) {
                String place = at.host() + ":" + at.port() + ", " + cause.getMessage();
                throw Expect.refused(setting, place, "a port that is free");
            }
            throw e;
        }
    }

    /**
     * Has the JVM load what a port is made of. Armeria makes JSON ready for every gRPC service, wanted or not, with classes
     * that are made at that moment: a third of a second.
     */
    public static void warmUp() {
        HttpJsonTranscodingOptions unused = HttpJsonTranscodingOptions.of();
        Server notStarted = Server.builder()
                .service("/", (context, request) -> HttpResponse.of(HttpStatus.OK))
                .build();
        notStarted.close();
    }

    /** HTTP/1 tells it with the answer; in HTTP/2 there are clients that give up what is under way when they are told. */
    private static void endAfter(ServiceRequestContext context) {
        if (context.sessionProtocol().isMultiplex()) {
            var unused =
                    context.log().whenComplete().thenCompose(log -> context.initiateConnectionShutdown(Duration.ZERO));
        } else {
            var unused = context.initiateConnectionShutdown(Duration.ZERO);
        }
    }

    private void connected(ChannelPipeline pipeline) {
        SlowClients.watch(pipeline, handshakes, slowestMillis);
    }

    /** The port; the one that was free where 0 was asked for. */
    public int number() {
        return server.activeLocalPort();
    }

    /** What is served. */
    public List<Route> routes() {
        return server.serviceConfigs().stream().map(ServiceConfig::route).toList();
    }

    /** How many there are at present. */
    public int connections() {
        return server.numConnections();
    }

    @Override
    public void close() {
        isEnding = true;
        accepting.stop();
        server.stop().join();
    }
}
