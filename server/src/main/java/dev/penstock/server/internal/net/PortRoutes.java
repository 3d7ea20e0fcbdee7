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
 * What a port serves: services by their paths, each with all around it that has to be. Armeria's decorators of routes would be looked
 * up anew for each request.
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

    /** The same port, with something more around what is added here. */
    public PortRoutes within(DecoratingHttpServiceFunction more) {
        return new PortRoutes(builder, service -> around.apply(service.decorate(more)));
    }

    public void add(HttpMethod method, String path, HttpService service) {
        add(Route.builder().methods(method).path(path), service);
    }

    /** For whoever looks: the headers alone can be had, too. */
    public void page(String path, HttpService service) {
        add(Route.builder().methods(HttpMethod.GET, HttpMethod.HEAD).path(path), service);
    }

    /** Whatever the method. */
    public void any(String path, HttpService service) {
        add(Route.builder().path(path), service);
    }

    private void add(RouteBuilder route, HttpService service) {
        builder.service(route.build(), around.apply(service));
    }

    /** Calls of gRPC, whose paths are their own. */
    public void calls(GrpcService service, UnaryOperator<HttpService> guard) {
        builder.service(service, List.of(guard.andThen(around)));
    }
}
