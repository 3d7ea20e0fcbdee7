package dev.penstock.policy.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.penstock.policy.PolicyErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The JSON Schema that editors use, on the same corpus as the parser. */
class SchemaTest {
    private static final String NAMES = "it does not see where a name stands again, or whether it is there";

    /** Bad cases that no schema can refuse, and why. */
    private static final Map<String, String> UNSEEN = new HashMap<>();

    static {
        UNSEEN.put("a", NAMES);
    }

    private static final JsonNode TREE = tree();
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(TREE);

    static List<CorpusCase> good() {
        return CorpusCase.all("good");
    }

    static List<CorpusCase> bad() {
        return CorpusCase.all("bad");
    }

    @ParameterizedTest
    @MethodSource
    void good(CorpusCase each) {
        assertThat(complaints(each)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void bad(CorpusCase each) {
        String unseen = UNSEEN.get(each.name());
        if (unseen == null) {
            assertThat(complaints(each)).isNotEmpty();
        } else {
            assertThat(complaints(each)).as("seen after all: " + unseen).isEmpty();
        }
    }

    private static JsonNode tree() {
        try (InputStream in = Objects.requireNonNull(PolicyErrors.class.getResourceAsStream("policies.schema.json"))) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> complaints(CorpusCase each) {
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
