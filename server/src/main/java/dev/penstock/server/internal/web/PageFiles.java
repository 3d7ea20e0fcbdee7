package dev.penstock.server.internal.web;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.file.HttpFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The files of a folder that pages are made of, each by its name; others are not there. */
final class PageFiles implements HttpService {
    /** Whoever looks at a page reaches this service with it, and nothing else. */
    static final String SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final String FOLDER = "dev/penstock/server/web/";
    private static final Map<String, String> MEDIA_TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml");

    private final Map<String, HttpService> byName = new HashMap<>();

    /** Those of our own, by their paths in the folder of pages; each is called by the last part. */
    PageFiles(List<String> paths) {
        paths.forEach(path -> byName.put(lastOf(path, '/'), page(path)));
    }

    /** With one that is elsewhere on the class path. */
    PageFiles with(String resource) {
        byName.put(lastOf(resource, '/'), file(resource));
        return this;
    }

    /** A page of our own. */
    static HttpService page(String path) {
        return file(FOLDER + path);
    }

    /** Looked for again each time, by its tag: after an upgrade nobody sees the pages of before. */
    private static HttpService file(String resource) {
        HttpFile file = HttpFile.builder(PageFiles.class.getClassLoader(), resource)
                .contentType(String.valueOf(MEDIA_TYPES.get(lastOf(resource, '.'))))
                .cacheControl("no-cache")
                .setHeader("content-security-policy", SECURITY_POLICY)
                .setHeader("x-content-type-options", "nosniff")
                .setHeader("referrer-policy", "no-referrer")
                .build();
        return HttpFile.ofCached(file, 1 << 20).asService();
    }

    private static String lastOf(String path, char separator) {
        return path.substring(path.lastIndexOf(separator) + 1);
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
        HttpService found = byName.get(String.valueOf(context.pathParam("file")));
        if (found == null) {
            throw HttpStatusException.of(HttpStatus.NOT_FOUND);
        }
        return found.serve(context, request);
    }
}
