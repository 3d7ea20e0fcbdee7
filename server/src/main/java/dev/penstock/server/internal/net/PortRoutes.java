package dev.penstock.server.internal.net;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.RouteBuilder;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The services of a port by their paths, each with its decorators. They are attached to the services, because Armeria
 * would look up decorators of routes for each request.
 */
public final class PortRoutes {
    private final ServerBuilder builder;
    private final UnaryOperator<HttpService> around;

    private PortRoutes(ServerBuilder builder, UnaryOperator<HttpService> around) {
        this.builder = builder;
        this.around = around;
    }

    static PortRoutes of(ServerBuilder builder, DecoratingHttpServiceFunction around) {
        return new PortRoutes(builder, service -> service.decorate(around));
    }

    /** Returns the same port with another decorator for the services added to it. */
    public PortRoutes within(DecoratingHttpServiceFunction more) {
        return new PortRoutes(builder, service -> around.apply(service.decorate(more)));
    }

    public void add(HttpMethod method, String path, HttpService service) {
        add(Route.builder().methods(method).path(path), service);
    }

    /** Adds a page, which answers GET and HEAD. */
    public void page(String path, HttpService service) {
        add(Route.builder().methods(HttpMethod.GET, HttpMethod.HEAD).path(path), service);
    }

    /** Adds a service for every method. */
    public void any(String path, HttpService service) {
        add(Route.builder().path(path), service);
    }

    private void add(RouteBuilder route, HttpService service) {
        builder.service(route.build(), around.apply(service));
    }

    /** Adds a gRPC service, whose calls define their own paths. */
    public void calls(GrpcService service, UnaryOperator<HttpService> guard) {
        builder.service(service, List.of(guard.andThen(around)));
    }
}
