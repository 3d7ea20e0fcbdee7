package dev.penstock.bench.steady;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** The kind of the service's answer to a request. */
enum AnswerKind {
    ALLOWED,
    DENIED,
    /** The node reported overload. */
    OVERLOADED,
    /** Any other status, a broken connection, or no answer. */
    FAILED,
    /** Never sent, because the service had its maximum number of requests in flight until the end. */
    UNSENT;

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final int GRPC_UNAVAILABLE = 14;
    private static final int GRPC_HEAD_BYTES = 5;
    private static final int OVERALL_CODE_TAG = 8;
    private static final int CODE_OK = 1;
    private static final int CODE_OVER_LIMIT = 2;

    private static final byte[] IS_ALLOWED = "{\"allowed\":true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] IS_DENIED = "{\"allowed\":false".getBytes(StandardCharsets.US_ASCII);
    private static final String OVERLOAD = "\"reason\":\"overloaded\"";

    /** Classifies an answer of {@code /v1/check}. The body may be incomplete. */
    static AnswerKind ofJson(int status, ByteBuf body) {
        if (status == OK && startsWith(body, IS_ALLOWED)) {
            return ALLOWED;
        }
        boolean isOverload = body.toString(StandardCharsets.UTF_8).contains(OVERLOAD);
        if (status == OK && startsWith(body, IS_DENIED)) {
            return isOverload ? OVERLOADED : DENIED;
        }
        return status == UNAVAILABLE && isOverload ? OVERLOADED : FAILED;
    }

    /** Classifies a {@code ShouldRateLimit} message, including its gRPC prefix of five bytes. */
    static AnswerKind ofEnvoyMessage(ByteBuf frame) {
        int at = frame.readerIndex() + GRPC_HEAD_BYTES;
        if (frame.readableBytes() < GRPC_HEAD_BYTES + 2 || frame.getByte(at) != OVERALL_CODE_TAG) {
            return FAILED;
        }
        return switch (frame.getByte(at + 1)) {
            case CODE_OK -> ALLOWED;
            case CODE_OVER_LIMIT -> DENIED;
            default -> FAILED;
        };
    }

    /** Classifies a gRPC call by its status. {@code message} is the result of its message, if there was one. */
    static AnswerKind ofGrpc(int grpcStatus, AnswerKind message) {
        return switch (grpcStatus) {
            case 0 -> message;
            case GRPC_UNAVAILABLE -> OVERLOADED;
            default -> FAILED;
        };
    }

    private static boolean startsWith(ByteBuf body, byte[] text) {
        if (body.readableBytes() < text.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if (body.getByte(body.readerIndex() + i) != text[i]) {
                return false;
            }
        }
        return true;
    }
}
