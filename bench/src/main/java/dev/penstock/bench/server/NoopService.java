package dev.penstock.bench.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.GrpcService;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceImplBase;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** The ceiling: reads the same request with the same libraries, decides nothing, and sends an answer of Penstock's. */
final class NoopService implements Measured {
    private static final JsonFactory JSON = new JsonFactory();

    private final LongAdder answered = new LongAdder();
    private final HttpData json;
    private final RateLimitResponse response;
    private final Server server;

    private NoopService(byte[] json, RateLimitResponse response) {
        this.json = HttpData.wrap(json);
        this.response = response;
        this.server = Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .meterRegistry(NoopMeterRegistry.get())
                .disableServerHeader()
                .disableDateHeader()
                .service(Wire.HTTP1.path(), new Checks())
                .service(GrpcService.builder().addService(new Calls()).build())
                .build();
        server.start().join();
    }

    /** Starts a service that answers with the files of the two arguments: JSON, and a protobuf message of Envoy. */
    static NoopService start(String[] args) throws IOException {
        return new NoopService(
                Files.readAllBytes(Path.of(args[0])),
                RateLimitResponse.parseFrom(Files.readAllBytes(Path.of(args[1]))));
    }

    private HttpResponse answer(AggregatedHttpRequest request) {
        if (characters(request.content()) == 0) {
            return HttpResponse.of(HttpStatus.BAD_REQUEST);
        }
        answered.increment();
        return HttpResponse.of(
                ResponseHeaders.of(
                        HttpStatus.OK,
                        HttpHeaderNames.CONTENT_TYPE,
                        MediaType.JSON,
                        HttpHeaderNames.CONTENT_LENGTH,
                        json.length()),
                json);
    }

    /** Reads everything and creates strings of the values. */
    private static int characters(HttpData content) {
        int characters = 0;
        try (JsonParser parser = JSON.createParser(content.toInputStream())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING) {
                    characters += parser.getText().length();
                }
            }
            return characters;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads requests and writes responses as a whole, without streams. */
    private final class Checks implements HttpService {
        @Override
        public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
            CompletableFuture<HttpResponse> response = request.aggregate().thenApply(NoopService.this::answer);
            return response.isDone() && !response.isCompletedExceptionally()
                    ? response.join()
                    : HttpResponse.of(response);
        }

        @Override
        public ExchangeType exchangeType(RoutingContext context) {
            return ExchangeType.UNARY;
        }
    }

    private final class Calls extends RateLimitServiceImplBase {
        @Override
        public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
            answered.increment();
            observer.onNext(response);
            observer.onCompleted();
        }
    }

    @Override
    public int port() {
        return server.activeLocalPort();
    }

    @Override
    public Counts counts() {
        return Counts.now(answered.sum(), answered.sum());
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
