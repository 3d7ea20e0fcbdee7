package dev.penstock.server.internal.net;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/** The rules of RFC 9112, section 3.2, for the target and the {@code Host} of an HTTP/1 request. */
final class HostField {
    /** The special characters of a host name, an IPv4 address or a bracketed IPv6 address, with a port. */
    private static final String OTHERS = "-._~!$&'()*+,;=%[]:";

    private HostField() {}

    /**
     * Returns true if a request has the {@code Host} header that it needs. Replaces a target in absolute form by its
     * path, and {@code Host} by the authority of that target.
     */
    static boolean isValid(HttpRequest request) {
        HttpHeaders headers = request.headers();
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        boolean isNeeded = request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0;
        boolean isValid = hosts.isEmpty() ? !isNeeded : hosts.size() == 1 && isAuthority(hosts.get(0));
        int authority = authorityAt(request.uri());
        if (!isValid || authority == 0) {
            return isValid;
        }
        String target = request.uri().substring(authority);
        int path = pathAt(target);
        String host = target.substring(0, path);
        request.setUri(
                path < target.length() && target.charAt(path) == '/'
                        ? target.substring(path)
                        : "/" + target.substring(path));
        headers.set(HttpHeaderNames.HOST, host);
        return !host.isEmpty() && isAuthority(host);
    }

    /**
     * Returns the index at which the authority of a target in absolute form begins, or 0 if the target has another
     * form.
     */
    private static int authorityAt(String target) {
        for (String scheme : List.of("http://", "https://")) {
            if (target.regionMatches(true, 0, scheme, 0, scheme.length())) {
                return scheme.length();
            }
        }
        return 0;
    }

    private static int pathAt(String target) {
        int at = 0;
        while (at < target.length() && "/?#".indexOf(target.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /** Returns true if the text is a valid authority. An empty one is valid if the target has no authority. */
    private static boolean isAuthority(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!isPlain && OTHERS.indexOf(c) < 0) {
                return false;
            }
        }
        int colon = host.lastIndexOf(':');
        boolean hasPort = colon >= 0 && host.indexOf(']', colon) < 0;
        String name = hasPort ? host.substring(0, colon) : host;
        return isPort(hasPort ? host.substring(colon + 1) : "")
                && (host.isEmpty() || !name.isEmpty())
                && (name.startsWith("[")
                        ? name.indexOf(']') == name.length() - 1
                        : name.indexOf(':') < 0 && name.indexOf(']') < 0);
    }

    private static boolean isPort(String text) {
        return text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
