package dev.penstock.server.gateway;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** What a gateway stands in front of: it answers the path that it was asked for, and counts. */
final class Application implements AutoCloseable {
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicReference<String> authorization = new AtomicReference<>("");
    private final Server server;

    Application() {
        server = Server.builder()
                .http(0)
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .serviceUnder("/", (context, request) -> {
                    requests.incrementAndGet();
                    authorization.set(request.headers().get("authorization", ""));
                    return HttpResponse.of(request.path());
                })
                .build();
        server.start().join();
    }

    int port() {
        return server.activeLocalPort();
    }

    /** What the last request showed. */
    String authorization() {
        return authorization.get();
    }

    int requests() {
        return requests.get();
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
