package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.policy.internal.address.IpAddress;
import dev.penstock.server.internal.fields.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pages of other sites from using a port that trusts whoever reaches it, through the browser of one who does: neither
 * by a request of their own, nor by a name that they let point here.
 */
public final class CrossSiteCheck {
    /** Which calls have to name the port by a host that is trusted. */
    public enum HostCheck {
        EVERY_CALL,
        /** A gateway or a service may call the port by any name; only a browser can be led here by a foreign one. */
        CALLS_OF_PAGES,
        NONE
    }

    private CrossSiteCheck() {}

    /**
     * Refuses calls of other sites' pages, and calls that name the port by a host that is not trusted.
     *
     * @param names the trusted names, beside addresses and localhost
     */
    public static DecoratingHttpServiceFunction only(HostCheck check, List<String> names) {
        Set<String> trusted =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        return (service, context, request) -> {
            RequestHeaders headers = request.headers();
            if (isForeign(headers)) {
                return refused("Pages of other sites may not use this port.");
            } else if (!isChecked(check, context, headers) || isTrusted(host(headers.authority()), trusted)) {
                return service.serve(context, request);
            }
            return refused(
                    check == HostCheck.EVERY_CALL
                            ? "This port is called by its address, or as localhost."
                            : "Pages may use this port by its address, as localhost, or by a name of the setting hosts.");
        };
    }

    /** Over TLS, a page of another site has no certificate for its name. */
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

    /** As the browser says where it does; behind a proxy only it knows. Else by the page's origin. */
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
