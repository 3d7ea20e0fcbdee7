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

/** Selects counters: by a request, by a policy and its key, or by a descriptor of the rules for Envoy. */
final class KeyOptions {
    @Parameters(
            arity = "0..*",
            paramLabel = "NAME=VALUE",
            description = "Selects the counters of a request with these attributes.")
    private List<String> attributes = List.of();

    @Option(names = "--policy", paramLabel = "NAME", description = "Selects the counters of this policy.")
    private @Nullable String policy;

    @Option(names = "--limit", paramLabel = "ID", description = "Only the counters of this limit.")
    private @Nullable String limit;

    @Option(
            names = "--key",
            paramLabel = "VALUE",
            description = "A value of the key. Repeat the option for each part of the key, in order.")
    private List<String> key = List.of();

    @Option(
            names = "--domain",
            paramLabel = "NAME",
            description =
                    "Selects the counter of a rule for Envoy in this domain. NAME=VALUE are the descriptor's entries, in order.")
    private @Nullable String domain;

    /** Returns the policy, encoded for a path. No other selection may be given. */
    String policyAlone() throws UsageError {
        if (policy == null || domain != null || limit != null || !key.isEmpty() || !attributes.isEmpty()) {
            throw new UsageError("--all", "used without --policy, or with another selection", "--policy NAME --all");
        }
        return URLEncoder.encode(policy, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns the body of the call. */
    String body() throws UsageError {
        return node().toString();
    }

    /** Returns the body of the call with a duration. */
    String body(Duration life) throws UsageError {
        return node().put("for_ms", life.toMillis()).toString();
    }

    private ObjectNode descriptor(ObjectNode body) throws UsageError {
        if (policy != null || limit != null || !key.isEmpty()) {
            throw new UsageError("--domain", "used together with another selection", "--domain NAME and NAME=VALUE");
        } else if (attributes.isEmpty()) {
            throw new UsageError("NAME=VALUE", "nothing", "the entries of the descriptor");
        }
        ArrayNode entries = body.putArray("descriptor");
        for (String each : attributes) {
            int at = each.indexOf('=');
            entries.addObject()
                    .put("key", at < 0 ? each : each.substring(0, at))
                    .put("value", at < 0 ? "" : each.substring(at + 1));
        }
        return body;
    }

    private ObjectNode node() throws UsageError {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (domain != null) {
            return descriptor(body.put("domain", domain));
        }
        if (policy == null) {
            if (limit != null || !key.isEmpty()) {
                throw new UsageError(limit == null ? "--key" : "--limit", "without --policy", "--policy NAME as well");
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
            throw new UsageError("NAME=VALUE", "used together with --policy", "only one of the two");
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
