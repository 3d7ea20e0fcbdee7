package dev.penstock.policy.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.PolicyErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class EnvoyDocsTest {
    private static final Path DOCS = Path.of("..", "docs", "reference", "policy-language.md");
    private static final Pattern RULES_THEN_POLICIES =
            Pattern.compile("```yaml\n(domain: .*?)```.*?```yaml\n(version: 1\n.*?)```", Pattern.DOTALL);

    @Test
    void convert_theRulesInTheDocs_becomeThePoliciesBelowThem() throws IOException, PolicyErrors {
        Matcher shown = RULES_THEN_POLICIES.matcher(Files.readString(DOCS));

        assertThat(shown.find()).isTrue();
        assertThat(EnvoyConverter.convert(EnvoyRules.parse("docs", shown.group(1))))
                .endsWith("\n" + shown.group(2));
    }
}
