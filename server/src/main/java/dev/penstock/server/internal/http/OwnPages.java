package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import dev.penstock.policy.internal.match.IpAddress;
import dev.penstock.server.internal.fields.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pages of other sites from using a port that trusts whoever reaches it, through the browser of one who does: neither
 * by a request of their own, nor by a name that they let point here.
 */
public final class OwnPages {
    private OwnPages() {}

    /**
     * Refuses what is not of the port's own pages, or of no page at all.
     *
     * @param byAddress whether the port has to be called by its address, or as localhost
     */
    public static DecoratingHttpServiceFunction only(boolean byAddress) {
        return (service, context, request) -> {
            RequestHeaders headers = request.headers();
            if (isForeign(headers)) {
                return refused("Pages of other sites may not use this port.");
            } else if (byAddress && !isAddress(host(headers.authority()))) {
                return refused("This port is called by its address, or as localhost.");
            }
            return service.serve(context, request);
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

    private static boolean isAddress(String host) {
        return host.equals("localhost") || IpAddress.parse(host) != null;
    }
}
