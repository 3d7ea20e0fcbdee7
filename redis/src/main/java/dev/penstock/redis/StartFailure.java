package dev.penstock.redis;

import io.lettuce.core.RedisConnectionException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes in one line why there is no connection, and what was expected. */
final class StartFailure {
    private static final List<String> OF_THE_PASSWORD = List.of("WRONGPASS", "NOAUTH");

    /**
     * Finds the reason of one node in the message for a Cluster, in which each node has its own line, after its
     * address.
     */
    private static final Pattern OF_A_NODE =
            Pattern.compile("(?m)^\\s+\\[rediss?://[^]]*]: (?:Unable to connect to \\[[^]]*]: )?(.+)$");

    private static final String OF_RIGHTS = "NOPERM";

    /** Redis has no error code for this. The text is used only to choose what the message says was expected. */
    private static final String NO_CLUSTER = "cluster support disabled";

    private StartFailure() {}

    static String of(Throwable failure) {
        Throwable cause = root(failure);
        if (cause instanceof ServerInfo.WrongServerKind) {
            return String.valueOf(cause.getMessage());
        }
        String why = firstReason(String.valueOf(cause.getMessage()));
        return why + " (expected: " + expected(why) + ")";
    }

    /** Returns whether a connection was made and then closed, without an error of Redis or of the network. */
    static boolean isWithoutReason(Throwable failure) {
        return root(failure) instanceof RedisConnectionException;
    }

    private static Throwable root(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String firstReason(String message) {
        Matcher ofANode = OF_A_NODE.matcher(message);
        return ofANode.find() ? ofANode.group(1) : message.lines().findFirst().orElse("");
    }

    private static String expected(String why) {
        if (OF_THE_PASSWORD.stream().anyMatch(why::startsWith)) {
            return "a user and password that Redis knows";
        } else if (why.startsWith(OF_RIGHTS)) {
            return "the rights in docs/redis.md";
        } else if (why.contains(NO_CLUSTER)) {
            return "nodes of a Cluster; redis://... for one server";
        }
        return "a Redis that answers";
    }
}
