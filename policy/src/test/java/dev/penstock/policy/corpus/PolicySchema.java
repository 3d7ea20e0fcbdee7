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
import java.util.List;

/** The JSON Schema of the language, evaluated as an editor does. */
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

    /** Returns the errors that an editor would underline in the files, each checked separately. */
    static List<String> complaints(CorpusCase each) {
        return each.files().stream()
                .flatMap(file -> complaints(CorpusCase.text(file)).stream()
                        .map(complaint -> file.getFileName() + ": " + complaint))
                .toList();
    }

    static List<String> complaints(String text) {
        return EditorYaml.read(text)
                .map(document ->
                        SCHEMA.validate(document).stream().map(Error::toString).toList())
                .orElse(List.of("not YAML"));
    }
}
