package dev.penstock.server.internal.net;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.grpc.HttpJsonTranscodingOptions;
import dev.penstock.Clock;
import dev.penstock.internal.Expect;
import dev.penstock.server.ClientSettings;
import dev.penstock.server.ListenAddress;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.RecvByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A port that serves requests within bounds until it is closed. Closing first stops listening, so that new connections
 * are refused. Then it ends the open connections without losing a request: HTTP/2 with GOAWAY, HTTP/1 with the next
 * answer.
 *
 * <p>Thread-safe.
 */
public final class Port implements AutoCloseable {
    /**
     * The port closes when no request has been in progress for this long, so that requests that are still on the wire
     * arrive.
     */
    private static final Duration QUIET = Duration.ofMillis(100);

    /** The maximum number of bytes to read from a client before the other clients of its event loop get their turn. */
    private static final int MOST_READ_BYTES = 16 << 10;

    private static final int FIRST_READ_BYTES = 2 << 10;
    private static final int LEAST_READ_BYTES = 64;

    /** The extra time that Armeria waits for HTTP/1 requests in progress after its own timeout. */
    private static final Duration ARMERIA_PATIENCE = Duration.ofSeconds(1);

    private final ConnectionAcceptor accepting = new ConnectionAcceptor();
    private final Http2Connections http2;
    private final Duration stepAtMost;
    private final Server server;
    private final @Nullable HandshakeFailures handshakes;
    private final Bounds bounds;
    private volatile boolean isEnding;

    private Port(ListenAddress at, Bounds bounds, @Nullable TlsCertificates tls, Consumer<PortRoutes> routes) {
        this.handshakes = tls == null ? null : new HandshakeFailures(Clock.system());
        this.stepAtMost = bounds.stepAtMost();
        this.bounds = bounds;
        this.http2 = new Http2Connections(bounds.clients().slowest().toMillis());
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
                .connectionDrainDuration(Http2Connections.NOTICE)
                .unloggedExceptionsReportInterval(Duration.ZERO) // warnings for programmers, not operators
                .meterRegistry(NoopMeterRegistry.get())
                .errorHandler(new ErrorAnswers())
                .disableServerHeader()
                .disableDateHeader();
        routes.accept(PortRoutes.of(builder, (service, context, request) -> {
            if (isEnding && !context.sessionProtocol().isMultiplex()) { // marks the answer as the last one
                var unused = context.initiateConnectionShutdown(Duration.ZERO);
            }
            return service.serve(context, request);
        }));
        this.server = builder.build();
    }

    /**
     * The resources that a port may use, and the time that closing may take.
     *
     * @param buffers shared by the ports of a process
     * @param drainAtMost how long requests in progress may take when the port is closed
     */
    public record Bounds(ClientSettings clients, BufferBudget buffers, Duration drainAtMost) {
        /** Creates bounds for the only port of a process. */
        public Bounds(ClientSettings clients, Duration drainAtMost) {
            this(clients, BufferBudget.of(0), drainAtMost);
        }

        /** Returns these bounds with another number of connections. */
        public Bounds withConnections(int connections) {
            return new Bounds(clients.withConnections(connections), buffers, drainAtMost);
        }

        void set(ServerBuilder builder) {
            builder.maxRequestLength(clients.bodyBytes())
                    .requestTimeout(clients.slowest())
                    .idleTimeout(clients.idle())
                    .maxNumConnections(clients.connections())
                    .http1MaxInitialLineLength(clients.headerBytes())
                    .http1MaxHeaderSize(clients.headerBytes())
                    .http2MaxHeaderListSize(clients.headerBytes())
                    .http2MaxStreamsPerConnection(clients.streams())
                    .childChannelOption(ChannelOption.RECVBUF_ALLOCATOR, turns())
                    .gracefulShutdownTimeout(shorter(QUIET, serverAtMost()), serverAtMost());
        }

        /**
         * Reads a little from a client at a time, so that a client that sends without a pause does not delay the
         * others.
         */
        private static RecvByteBufAllocator turns() {
            return new AdaptiveRecvByteBufAllocator(LEAST_READ_BYTES, FIRST_READ_BYTES, MOST_READ_BYTES)
                    .maxMessagesPerRead(1);
        }

        /** Returns the maximum time for each of the two steps: first HTTP/2, then HTTP/1. */
        Duration stepAtMost() {
            return drainAtMost.dividedBy(2);
        }

        /**
         * Returns the timeout of Armeria's own shutdown, which ends the HTTP/1 connections, less the extra time that
         * Armeria waits after it.
         */
        Duration serverAtMost() {
            Duration least = shorter(QUIET, stepAtMost());
            Duration atMost = stepAtMost().minus(ARMERIA_PATIENCE);
            return atMost.compareTo(least) < 0 ? least : atMost;
        }

        private static Duration shorter(Duration one, Duration other) {
            return one.compareTo(other) < 0 ? one : other;
        }
    }

    /**
     * Opens the port.
     *
     * @param setting the name of the setting that chose the port, for errors
     * @param tls the certificates; null without TLS
     * @throws IllegalArgumentException if the port is not available
     */
    public static Port open(
            String setting,
            ListenAddress at,
            Bounds bounds,
            @Nullable TlsCertificates tls,
            Consumer<PortRoutes> routes) {
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
     * Loads the classes that a port needs. Armeria prepares JSON for every gRPC service, used or not, with classes that
     * it generates. That takes a third of a second.
     */
    public static void warmUp() {
        HttpJsonTranscodingOptions unused = HttpJsonTranscodingOptions.of();
        Server notStarted = Server.builder()
                .service("/", (context, request) -> HttpResponse.of(HttpStatus.OK))
                .build();
        notStarted.close();
    }

    private void connected(ChannelPipeline pipeline) {
        http2.accepted(pipeline.channel());
        ConnectionPipeline.complete(pipeline, handshakes, bounds.clients(), bounds.buffers(), http2);
    }

    /** Returns the number of the port. If the setting is 0, this is the free port that was chosen. */
    public int number() {
        return server.activeLocalPort();
    }

    /** Returns the routes that are served. */
    public List<Route> routes() {
        return server.serviceConfigs().stream().map(ServiceConfig::route).toList();
    }

    /** Returns the current number of connections. */
    public int connections() {
        return server.numConnections();
    }

    @Override
    public void close() {
        isEnding = true;
        accepting.stop();
        http2.end(stepAtMost);
        server.stop().join();
    }
}
