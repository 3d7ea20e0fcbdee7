package dev.penstock.policy.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.penstock.policy.Policies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The JSON Schema of the language, asked as an editor asks it. */
final class PolicySchema {
    static final JsonNode TREE = tree();

    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(TREE);

    private PolicySchema() {}

    private static JsonNode tree() {
        try {
            return new ObjectMapper().readTree(Policies.schema());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What an editor underlines in the files, each looked at by itself. */
    static List<String> complaints(CorpusCase each) {
        List<String> complaints = new ArrayList<>();
        for (Path file : each.files()) {
            Optional<JsonNode> document = EditorYaml.read(CorpusCase.text(file));
            if (document.isEmpty()) {
                complaints.add(file.getFileName() + ": not YAML");
            } else {
                for (Error error : SCHEMA.validate(document.get())) {
                    complaints.add(file.getFileName() + ": " + error);
                }
            }
        }
        return complaints;
    }
}
