package dev.penstock.bench.soak.hostile;

/** The outcome of an honest request. Only {@link #ALLOWED} is good. */
enum HonestOutcome {
    ALLOWED,
    /** Denied by a limit, although the client was far below it. */
    DENIED,
    /** The node reported overload, or queued the end of a permit. */
    OVERLOADED,
    /** Decided by a failure mode instead of Redis. */
    FALLBACK,
    /** Any other answer, no answer, or a connection that the service closed. */
    ERROR,
    /** Never sent, because too many requests had no answer yet. */
    UNSENT;

    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int GRPC_OK = 0;
    private static final int GRPC_UNAVAILABLE = 14;

    /** Classifies an answer of {@code /v1/check} or {@code /v1/permits}. */
    static HonestOutcome ofDecision(int status, String body) {
        if (status != OK) {
            return isOverload(status, body) ? OVERLOADED : ERROR;
        }
        if (body.contains("\"decided_by\":\"fallback\"")) {
            return FALLBACK;
        }
        if (body.startsWith("{\"allowed\":true")) {
            return ALLOWED;
        }
        return body.contains("\"reason\":\"overloaded\"") ? OVERLOADED : DENIED;
    }

    /** Classifies an answer of {@code /v1/gate}. */
    static HonestOutcome ofGate(int status, String body) {
        return switch (status) {
            case OK -> ALLOWED;
            case TOO_MANY_REQUESTS -> DENIED;
            default -> isOverload(status, body) ? OVERLOADED : ERROR;
        };
    }

    /** Classifies the answer to the end of a permit. */
    static HonestOutcome ofSettlement(int status, String body) {
        return switch (status) {
            case OK -> ALLOWED;
            case ACCEPTED -> OVERLOADED;
            default -> isOverload(status, body) ? OVERLOADED : ERROR;
        };
    }

    /** Classifies a call of Envoy's service by its gRPC status and, if that is OK, by its message. */
    static HonestOutcome ofGrpc(int status, boolean isAllowed) {
        return switch (status) {
            case GRPC_OK -> isAllowed ? ALLOWED : DENIED;
            case GRPC_UNAVAILABLE -> OVERLOADED;
            default -> ERROR;
        };
    }

    private static boolean isOverload(int status, String body) {
        return status == UNAVAILABLE && body.contains("overloaded");
    }
}
