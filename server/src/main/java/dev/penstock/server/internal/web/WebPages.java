package dev.penstock.server.internal.web;

import com.linecorp.armeria.server.ServerBuilder;
import java.util.List;

/** Serves the start page, the interactive documents and what both are made of. Wiring. */
public final class WebPages {
    private WebPages() {}

    public static void addTo(ServerBuilder builder) {
        PageFiles.add(builder, "/", PageFiles.page("start.html"));
        PageFiles.add(builder, "/docs", PageFiles.page("docs.html"));
        PageFiles.add(builder, "/openapi.json", PageFiles.page("openapi.json"));
        PageFiles.add(
                builder,
                "/assets/{file}",
                new PageFiles(List.of("pages.css", "common.js", "start.js", "docs.js", "icon.svg")));
    }
}
