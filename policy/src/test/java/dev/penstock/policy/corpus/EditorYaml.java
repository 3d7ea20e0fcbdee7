package dev.penstock.policy.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads a YAML file as an editor does for a JSON Schema: with YAML's core schema, where 042 is a number and true is not
 * a text.
 */
final class EditorYaml {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final IdentityHashMap<Node, JsonNode> known = new IdentityHashMap<>();

    private EditorYaml() {}

    /** Returns the document; empty if it is not YAML or refers to itself. */
    static Optional<JsonNode> read(String text) {
        LoadSettings settings =
                LoadSettings.builder().setSchema(new CoreSchema()).build();
        try {
            Optional<Node> document = new Compose(settings).composeString(text);
            return Optional.of(document.map(new EditorYaml()::json).orElse(MissingNode.getInstance()));
        } catch (YamlEngineException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private JsonNode json(Node node) {
        JsonNode before = known.get(node);
        if (before != null) {
            return before;
        }
        if (node.isRecursive()) {
            throw new YamlEngineException("refers to itself");
        }
        JsonNode json;
        if (node instanceof MappingNode mapping) {
            json = mapping(mapping);
        } else if (node instanceof SequenceNode sequence) {
            ArrayNode array = JSON.arrayNode();
            sequence.getValue().forEach(item -> array.add(json(item)));
            json = array;
        } else {
            json = scalar((ScalarNode) node);
        }
        known.put(node, json);
        return json;
    }

    private JsonNode mapping(MappingNode mapping) {
        ObjectNode object = JSON.objectNode();
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw new YamlEngineException("a key that is not a text");
            }
            object.set(key.getValue(), json(entry.getValueNode()));
        }
        return object;
    }

    private static JsonNode scalar(ScalarNode scalar) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        if (tag.equals(Tag.NULL)) {
            return JSON.nullNode();
        }
        if (tag.equals(Tag.BOOL)) {
            return JSON.booleanNode(text.toLowerCase(Locale.ROOT).equals("true"));
        }
        if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            return number(text);
        }
        return JSON.textNode(text);
    }

    private static JsonNode number(String text) {
        if (text.matches("[-+]?[0-9]+")) {
            return JSON.numberNode(new BigDecimal(text).toBigIntegerExact());
        }
        if (text.matches("0[xo].*|.*[.](inf|nan)")) {
            return JSON.textNode(text);
        }
        return JSON.numberNode(new BigDecimal(text));
    }
}
