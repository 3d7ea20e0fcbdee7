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

/** Serves a fixed set of files by name. Other names are not found. */
final class PageFiles implements HttpService {
    /** Allows a page to load from and talk to this service only. */
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

    /** Serves these files of the folder of pages, each under the last part of its path. */
    PageFiles(List<String> paths) {
        paths.forEach(path -> byName.put(lastOf(path, '/'), page(path)));
    }

    /** Adds a file from elsewhere on the class path. */
    PageFiles with(String resource) {
        byName.put(lastOf(resource, '/'), file(resource));
        return this;
    }

    /** Adds a document that a service writes. */
    PageFiles with(String name, HttpService document) {
        byName.put(name, document);
        return this;
    }

    /** Returns a service for one page of the folder of pages. */
    static HttpService page(String path) {
        return file(FOLDER + path);
    }

    /** Returns a service for a file. Browsers revalidate it on each use, so nobody sees old pages after an upgrade. */
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
