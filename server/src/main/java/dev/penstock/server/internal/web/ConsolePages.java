package dev.penstock.server.internal.web;

import com.linecorp.armeria.common.HttpResponse;
import dev.penstock.server.internal.net.PortRoutes;
import java.util.List;

/** Serves the files of the console. They contain no data of the service, so they need no token. */
public final class ConsolePages {
    /** The chart library, which the build includes. */
    private static final String CHARTS = "META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";

    private static final PageFiles FILES = new PageFiles(List.of(
                    "pages.css",
                    "common.js",
                    "icon.svg",
                    "console/console.css",
                    "console/main.js",
                    "console/api.js",
                    "console/words.js",
                    "console/live.js",
                    "console/lines.js",
                    "console/now.js",
                    "console/service-state.js",
                    "console/who.js",
                    "console/key.js",
                    "console/change.js",
                    "console/decisions.js",
                    "console/policies.js",
                    "console/editor.js",
                    "console/attributes.js",
                    "console/explanation.js",
                    "console/why.js"))
            .with(CHARTS);

    private ConsolePages() {}

    public static void addTo(PortRoutes routes) {
        routes.page("/", (context, request) -> HttpResponse.ofRedirect("/console"));
        routes.page("/console", PageFiles.page("console/console.html"));
        routes.page("/console/{file}", FILES);
    }
}
