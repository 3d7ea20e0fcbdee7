package dev.penstock.server.internal.web;

import dev.penstock.server.internal.net.PortRoutes;
import java.util.List;

/** Serves the start page, the interactive documents and what both are made of. Wiring. */
public final class WebPages {
    private WebPages() {}

    public static void addTo(PortRoutes routes) {
        routes.page("/", PageFiles.page("start.html"));
        routes.page("/docs", PageFiles.page("docs.html"));
        routes.page("/openapi.json", PageFiles.page("openapi.json"));
        routes.page(
                "/assets/{file}", new PageFiles(List.of("pages.css", "common.js", "start.js", "docs.js", "icon.svg")));
    }
}
