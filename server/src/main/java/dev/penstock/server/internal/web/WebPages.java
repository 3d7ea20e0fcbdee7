package dev.penstock.server.internal.web;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.file.HttpFile;
import java.util.Map;

/** Serves the start page, the interactive documents and what both are made of. Wiring. */
public final class WebPages {
    /** Whoever looks at a page reaches this service with it, and nothing else. */
    static final String SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final String FOLDER = "dev/penstock/server/web/";
    private static final String HTML = "text/html; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    private static final Map<String, HttpService> ASSETS = Map.of(
            "pages.css", file("pages.css", "text/css; charset=utf-8"),
            "common.js", file("common.js", SCRIPT),
            "start.js", file("start.js", SCRIPT),
            "docs.js", file("docs.js", SCRIPT),
            "icon.svg", file("icon.svg", "image/svg+xml"));

    private WebPages() {}

    public static void addTo(ServerBuilder builder) {
        add(builder, "/", file("start.html", HTML));
        add(builder, "/docs", file("docs.html", HTML));
        add(builder, "/openapi.json", file("openapi.json", "application/json"));
        add(builder, "/assets/{file}", WebPages::asset);
    }

    private static void add(ServerBuilder builder, String path, HttpService service) {
        builder.service(
                Route.builder()
                        .methods(HttpMethod.GET, HttpMethod.HEAD)
                        .path(path)
                        .build(),
                service);
    }

    private static HttpResponse asset(ServiceRequestContext context, HttpRequest request) throws Exception {
        HttpService found = ASSETS.get(String.valueOf(context.pathParam("file")));
        if (found == null) {
            throw HttpStatusException.of(HttpStatus.NOT_FOUND);
        }
        return found.serve(context, request);
    }

    /** Looked for again each time, by its tag: after an upgrade nobody sees the pages of before. */
    private static HttpService file(String name, String mediaType) {
        HttpFile file = HttpFile.builder(WebPages.class.getClassLoader(), FOLDER + name)
                .contentType(mediaType)
                .cacheControl("no-cache")
                .setHeader("content-security-policy", SECURITY_POLICY)
                .setHeader("x-content-type-options", "nosniff")
                .setHeader("referrer-policy", "no-referrer")
                .build();
        return HttpFile.ofCached(file, 1 << 20).asService();
    }
}
