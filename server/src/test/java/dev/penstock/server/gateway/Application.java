package dev.penstock.server.gateway;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.Server;
import dev.penstock.server.internal.net.TestServers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The application behind a gateway. It answers with the path of the request, and counts. */
final class Application implements AutoCloseable {
    /** A path that is not counted. */
    static final String UNCOUNTED = "/ready";

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicReference<RequestHeaders> last = new AtomicReference<>(RequestHeaders.of(HttpMethod.GET, "/"));
    private final Server server;

    Application() {
        server = TestServers.builder()
                .http(0)
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .serviceUnder("/", (context, request) -> {
                    if (!request.path().equals(UNCOUNTED)) {
                        requests.incrementAndGet();
                    }
                    last.set(request.headers());
                    return HttpResponse.of(request.path());
                })
                .build();
        server.start().join();
    }

    int port() {
        return server.activeLocalPort();
    }

    /** Returns a header of the last request, or an empty text. */
    String header(String name) {
        return last.get().get(name, "");
    }

    int requests() {
        return requests.get();
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
