package dev.penstock.server.internal.web;

import com.linecorp.armeria.server.HttpService;
import dev.penstock.server.internal.net.PortRoutes;
import java.util.List;

/** Serves the start page, the interactive API documentation and their files. */
public final class WebPages {
    private WebPages() {}

    /**
     * Adds the pages to a port.
     *
     * @param start the data of the start page
     */
    public static void addTo(PortRoutes routes, HttpService start) {
        routes.page("/", PageFiles.page("start.html"));
        routes.page("/docs", PageFiles.page("docs.html"));
        routes.page("/openapi.json", PageFiles.page("openapi.json"));
        routes.page(
                "/assets/{file}",
                new PageFiles(List.of("pages.css", "common.js", "start.js", "docs.js", "icon.svg"))
                        .with("start.json", start));
    }
}
