package dev.penstock.server.internal.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.RequestHeaders;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Set;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Converts failures outside of {@link RateLimitCalls} to a gRPC status. Most are caused by malformed messages. For
 * those the status is never UNAVAILABLE, because clients retry that.
 */
public final class CallFailure {
    private static final Set<String> ENCODINGS = Set.of("identity", "gzip");

    private static final Status BAD_TIMEOUT = Status.INVALID_ARGUMENT.withDescription(
            "grpc-timeout: malformed (expected: 1 to 8 digits, and one of H, M, S, m, u, n)");

    private CallFailure() {}

    /**
     * Returns the status for the caller.
     *
     * @param status the status that Armeria chose
     */
    public static Status status(RequestContext context, Status status, @Nullable Throwable cause) {
        boolean isUnread = false;
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof ContentTooLargeException) {
                return tooLarge(Status.RESOURCE_EXHAUSTED);
            }
            isUnread |= isUnread(each);
        }
        return switch (status.getCode()) {
            case UNKNOWN, INTERNAL ->
                isUnread ? unread(context) : Status.UNAVAILABLE.withDescription("the service failed");
            case RESOURCE_EXHAUSTED -> tooLarge(status);
            case INVALID_ARGUMENT -> status.getDescription() == null ? BAD_TIMEOUT : status;
            default -> status;
        };
    }

    private static Status tooLarge(Status status) {
        return status.withDescription("the message is too large");
    }

    /** Returns true if Armeria could not decode the message. Failures from {@link RateLimitCalls} have another form. */
    private static boolean isUnread(Throwable cause) {
        return cause instanceof InvalidProtocolBufferException
                || cause instanceof ZipException
                || cause instanceof IndexOutOfBoundsException // a body that is too short
                || (cause instanceof StatusRuntimeException failed
                        && failed.getStatus().getCode() == Status.Code.INTERNAL);
    }

    private static Status unread(RequestContext context) {
        RequestHeaders headers =
                context.request() == null ? null : context.request().headers();
        String encoding = headers == null ? null : headers.get("grpc-encoding");
        return encoding == null || ENCODINGS.contains(encoding)
                ? Status.INVALID_ARGUMENT.withDescription("the message cannot be decoded")
                : Status.UNIMPLEMENTED.withDescription("grpc-encoding: unknown (expected: gzip or identity)");
    }
}
