package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Identifies the caller of a request by its credentials. */
public final class Caller {
    private static final String SCHEME = "Bearer ";
    private static final byte[] ANYBODY = {};

    private Caller() {}

    /** Returns the bearer token of the request, or null if it has none. */
    public static @Nullable String token(RequestHeaders headers) {
        String authorization = headers.get(HttpHeaderNames.AUTHORIZATION);
        return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? authorization.substring(SCHEME.length()).strip()
                : null;
    }

    /**
     * Returns bytes that distinguish callers: the token, or the TLS certificate if there is no token. Empty if the
     * caller has neither.
     */
    static byte[] of(ServiceRequestContext context, RequestHeaders headers) {
        String token = token(headers);
        return token == null ? certificate(context.sslSession()) : token.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] certificate(@Nullable SSLSession session) {
        try {
            return session == null ? ANYBODY : session.getPeerCertificates()[0].getEncoded();
        } catch (SSLPeerUnverifiedException | CertificateEncodingException e) { // no client certificate
            return ANYBODY;
        }
    }
}
