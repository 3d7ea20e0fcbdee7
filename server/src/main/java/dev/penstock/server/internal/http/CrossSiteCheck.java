package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.policy.address.IpAddress;
import dev.penstock.server.internal.fields.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Protects a port that trusts everyone who can reach it from web pages of other sites. Such a page runs in the browser
 * of someone who can reach the port. It could call the port directly, or under a host name of its own that it resolves
 * to the port's address (DNS rebinding).
 */
public final class CrossSiteCheck {
    /** The calls whose host name is checked. */
    public enum HostCheck {
        EVERY_CALL,
        /** Gateways and services may call the port under any name. Only browsers can be led here by a foreign name. */
        CALLS_OF_PAGES,
        NONE
    }

    private CrossSiteCheck() {}

    /**
     * Refuses calls from web pages of other sites, and calls under a host name that is not trusted.
     *
     * @param names the trusted host names, in addition to IP addresses and localhost
     */
    public static DecoratingHttpServiceFunction only(HostCheck check, List<String> names) {
        Set<String> trusted =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        return (service, context, request) -> {
            RequestHeaders headers = request.headers();
            if (isForeign(headers)) {
                return refused("Web pages of other sites may not use this port.");
            } else if (!isChecked(check, context, headers) || isTrusted(host(headers.authority()), trusted)) {
                return service.serve(context, request);
            }
            return refused(
                    check == HostCheck.EVERY_CALL
                            ? "Call this port by its IP address or as localhost."
                            : "Call this port by its IP address, as localhost, or by a name in the setting hosts.");
        };
    }

    /**
     * Returns true if the host name of the call is checked. Over TLS no check is needed, because a page of another site
     * has no certificate for its name.
     */
    private static boolean isChecked(HostCheck check, ServiceRequestContext context, RequestHeaders headers) {
        return switch (check) {
            case EVERY_CALL -> true;
            case CALLS_OF_PAGES ->
                !context.sessionProtocol().isTls()
                        && (headers.contains(HttpHeaderNames.ORIGIN)
                                || headers.contains(HttpHeaderNames.SEC_FETCH_SITE));
            case NONE -> false;
        };
    }

    private static HttpResponse refused(String detail) {
        return Answers.problem(Problem.ofRequest(HttpStatus.FORBIDDEN.code(), detail, null), List.of());
    }

    /**
     * Returns true if a page of another site made the call. Trusts {@code Sec-Fetch-Site} if the browser sends it,
     * because behind a proxy only the browser knows; otherwise compares the page's origin.
     */
    private static boolean isForeign(RequestHeaders headers) {
        String site = headers.get(HttpHeaderNames.SEC_FETCH_SITE);
        if (site != null) {
            return !site.equals("same-origin") && !site.equals("none");
        }
        String origin = headers.get(HttpHeaderNames.ORIGIN);
        return origin != null && !origin.endsWith("://" + headers.authority());
    }

    private static String host(@Nullable String authority) {
        String text = authority == null ? "" : authority;
        if (text.startsWith("[")) {
            return text.substring(1, Math.max(1, text.indexOf(']')));
        }
        int colon = text.indexOf(':');
        return colon < 0 ? text : text.substring(0, colon);
    }

    private static boolean isTrusted(String host, Set<String> names) {
        return host.equals("localhost")
                || IpAddress.parse(host) != null
                || names.contains(host.toLowerCase(Locale.ROOT));
    }
}
