package dev.penstock.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The OpenAPI description, with checks of calls against it. */
final class OpenApiBook {
    static final Set<String> METHODS = Set.of("get", "head", "post", "put", "patch", "delete", "options", "trace");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final JsonNode tree;

    OpenApiBook(JsonNode tree) {
        this.tree = tree;
    }

    /** Returns the description that is part of the build. */
    static OpenApiBook shipped() {
        try (InputStream in = PenstockServer.class.getResourceAsStream("web/openapi.json")) {
            return new OpenApiBook(JSON.readTree(Objects.requireNonNull(in)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode tree() {
        return tree;
    }

    /** The port of an operation. */
    enum Place {
        MAIN_PORT,
        ADMIN_PORT;

        private boolean isTold(JsonNode servers) {
            boolean isMain = this == MAIN_PORT;
            return servers.isMissingNode()
                    ? isMain
                    : servers.findValuesAsText("url").stream().anyMatch(url -> url.equals("/") == isMain);
        }
    }

    /** Returns every operation of the port: {@code POST /v1/check}. */
    Set<String> operations(Place place) {
        Set<String> all = new TreeSet<>();
        tree.get("paths").properties().stream()
                .filter(path -> place.isTold(path.getValue().path("servers")))
                .forEach(path -> path.getValue().properties().stream()
                        .map(Map.Entry::getKey)
                        .filter(METHODS::contains)
                        .forEach(method -> all.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
        return all;
    }

    /** Returns the ids of the operations on a path. */
    List<String> operationIds(JsonNode path) {
        return path.properties().stream()
                .filter(each -> METHODS.contains(each.getKey()))
                .map(each -> each.getValue().path("operationId").asText())
                .toList();
    }

    /** Returns the part of the description that is about one port. */
    JsonNode partOf(Place place) {
        ObjectNode part = tree.deepCopy();
        ObjectNode paths = (ObjectNode) part.get("paths");
        List.copyOf(paths.properties()).forEach(path -> {
            if (!place.isTold(path.getValue().path("servers"))) {
                paths.remove(path.getKey());
            }
        });
        paths.forEach(path -> ((ObjectNode) path).remove("servers"));
        return part;
    }

    /** Returns the differences between an answer and its description; empty if there are none. */
    List<String> wrongWith(String method, String path, int status, String mediaType, String body) {
        JsonNode operation = operation(method, path);
        if (operation == null) {
            return status == 404 || status == 405 ? List.of() : List.of(method + " " + path + " is not described");
        }
        JsonNode response = resolved(operation.path("responses").path(Integer.toString(status)));
        if (response.isMissingNode()) {
            return List.of(method + " " + path + ": " + status + " is not described");
        }
        if (body.isEmpty() || method.equals("HEAD")) {
            return List.of();
        }
        JsonNode content = response.path("content").path(mediaType.replaceFirst(";.*", ""));
        if (content.isMissingNode()) {
            return List.of(method + " " + path + ": " + status + " in " + mediaType + " is not described");
        }
        return mediaType.contains("json") ? wrong(content.get("schema"), body) : List.of();
    }

    private List<String> wrong(JsonNode schema, String body) {
        ObjectNode whole = schema.deepCopy();
        whole.set("components", tree.get("components"));
        try {
            return SCHEMAS.getSchema(whole).validate(JSON.readTree(body)).stream()
                    .map(Error::toString)
                    .toList();
        } catch (IOException e) {
            return List.of(e.getMessage());
        }
    }

    /** Returns true if the call has a body. */
    boolean takesBody(String method, String path) {
        return tree.get("paths")
                .path(path)
                .path(method.toLowerCase(Locale.ROOT))
                .has("requestBody");
    }

    /** Returns the differences between a request's body and its description. */
    List<String> wrongRequest(JsonNode operation, JsonNode body) {
        JsonNode content = operation.get("requestBody").get("content").get("application/json");
        return wrong(content.get("schema"), body.toString());
    }

    private JsonNode operation(String method, String path) {
        for (Map.Entry<String, JsonNode> each : tree.get("paths").properties()) {
            String pattern = Pattern.quote(each.getKey()).replaceAll("\\{[a-z]+\\}", "\\\\E[^/]+\\\\Q");
            if (path.replaceFirst("\\?.*", "").matches(pattern)) {
                return each.getValue().get(method.toLowerCase(Locale.ROOT));
            }
        }
        return null;
    }

    JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? tree.at(node.get("$ref").asText().substring(1)) : node;
    }
}
