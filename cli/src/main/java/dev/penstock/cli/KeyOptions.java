package dev.penstock.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.Request;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which counters are meant: those that a request meets, or those of a policy's key. */
final class KeyOptions {
    @Parameters(
            arity = "0..*",
            paramLabel = "NAME=VALUE",
            description = "Attributes: the counters that such a request meets are meant.")
    private List<String> attributes = List.of();

    @Option(names = "--policy", paramLabel = "NAME", description = "The counters of this policy are meant.")
    private @Nullable String policy;

    @Option(names = "--limit", paramLabel = "ID", description = "Only those of this limit.")
    private @Nullable String limit;

    @Option(
            names = "--key",
            paramLabel = "VALUE",
            description = "A value of the key, in order; one for each of its parts, as it is counted.")
    private List<String> key = List.of();

    /** The policy, for the way to it; nothing else may be given. */
    String policyAlone() throws UsageError {
        if (policy == null || limit != null || !key.isEmpty() || !attributes.isEmpty()) {
            throw new UsageError("--all", "with something else, or without --policy", "--policy alone");
        }
        return URLEncoder.encode(policy, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The body of the call. */
    String body() throws UsageError {
        return node().toString();
    }

    /** The same with a time that something is to hold. */
    String body(Duration life) throws UsageError {
        return node().put("for_ms", life.toMillis()).toString();
    }

    private ObjectNode node() throws UsageError {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (policy == null) {
            if (limit != null || !key.isEmpty()) {
                throw new UsageError(limit == null ? "--key" : "--limit", "without --policy", "both, or neither");
            } else if (attributes.isEmpty()) {
                throw new UsageError("NAME=VALUE", "nothing", "attributes, or --policy");
            }
            Request request = RequestText.parse(attributes, List.of());
            ObjectNode named = body.putObject("attributes");
            for (Map.Entry<String, String> each : request.attributes().entrySet()) {
                named.put(each.getKey(), each.getValue());
            }
            return body;
        } else if (!attributes.isEmpty()) {
            throw new UsageError("NAME=VALUE", "given beside --policy", "one of the two");
        }
        body.put("policy", policy);
        if (limit != null) {
            body.put("limit", limit);
        }
        ArrayNode values = body.putArray("key");
        key.forEach(values::add);
        return body;
    }
}
