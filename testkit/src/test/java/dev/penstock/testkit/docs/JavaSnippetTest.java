package dev.penstock.testkit.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JavaSnippetTest {
    @TempDir
    Path classes;

    @Test
    void in_findsJavaBlocksOnly() {
        String markdown =
                "a\n```java\nint a;\n```\n```sh\n```\n```javascript\nlet b\n```\n``` java\nint c;\n\nint d;\n```\n";

        assertThat(JavaSnippet.in("A.md", markdown))
                .containsExactly(new JavaSnippet("A.md:3", "int a;"), new JavaSnippet("A.md:11", "int c;\n\nint d;"));
    }

    @Test
    void in_unclosedBlock_isCaught() {
        assertThatThrownBy(() -> JavaSnippet.in("A.md", "a\n```java\nint a;\n")).hasMessageContaining("A.md:2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "System.setProperty(\"penstock.readme\", \"ran\");",
                "import java.util.List;\n\nList.of(\"ran\").forEach(r -> System.setProperty(\"penstock.readme\", r));",
                "record Pair(String a) {}",
                "class A {\n    public static void main(String[] a) { System.setProperty(\"penstock.readme\", \"ran\"); }\n}",
                "package a.b;\n\nimport java.util.List;\n\n@Deprecated\npublic final class A {\n"
                        + "    public static void main(String[] a) { System.setProperty(\"penstock.readme\", \"ran\"); }\n}",
            })
    void compileAndRun_goodBlock_runs(String code) throws Exception {
        System.clearProperty("penstock.readme");
        try {
            new JavaSnippet("A.md:1", code).compileAndRun(classes);

            assertThat(System.getProperty("penstock.readme")).isEqualTo(code.contains("ran") ? "ran" : null);
        } finally {
            System.clearProperty("penstock.readme");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"int a = \"b\";", "no.such.Thing.call();", "throw new IllegalStateException();", "int a"})
    void compileAndRun_badBlock_isCaught(String code) {
        assertThatThrownBy(() -> new JavaSnippet("A.md:1", code).compileAndRun(classes))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("A.md:1");
    }

    @Test
    void source_importsOfABody_areLifted() {
        List<String> lines = new JavaSnippet("A.md:1", "import java.util.List;\nList<String> a;")
                .source()
                .lines()
                .toList();

        assertThat(lines).startsWith("import java.util.List;").contains("List<String> a;");
    }
}
