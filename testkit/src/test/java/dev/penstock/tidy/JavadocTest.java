package dev.penstock.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Javadoc of the public API: every type and method has a first sentence that stands on its own. */
class JavadocTest {
    private static final String HEAD = "package dev.penstock;\n";

    @Test
    void publicApi_hasAFirstSentenceEverywhere() {
        List<JavaSource> sources = Stream.of("core", "policy", "redis", "observe", "testkit")
                .flatMap(module -> ProjectFiles.under(module + "/src/main/java").stream())
                .filter(source -> !source.path().contains("/internal/"))
                .toList();

        assertThat(sources).hasSizeGreaterThan(80);
        assertThat(JavadocSentences.missing(sources)).isEmpty();
    }

    @Test
    void missing_badSamples_areFound() {
        assertThat(missing("public class A {}")).containsExactly("A.java:2 A: no Javadoc");
        assertThat(missing("/** A. */ public class A { public void run() {} }"))
                .containsExactly("A.java:2 run: no Javadoc");
        assertThat(missing("/** A. */ public class A { /** @return b */ public int run() { return 1; } }"))
                .containsExactly("A.java:2 run: no first sentence");
        assertThat(missing("/** A. */ public class A { /** The same for a permit. */ protected void run() {} }"))
                .containsExactly("A.java:2 run: The same for a permit.");
        assertThat(missing("/** A. */ public interface A { void run(); }")).containsExactly("A.java:2 run: no Javadoc");
        assertThat(missing("/** A. */ public class A { public static class B {} }"))
                .containsExactly("A.java:2 B: no Javadoc");
    }

    @Test
    void missing_whatNobodySees_needsNone() {
        assertThat(missing("class A { public void run() {} }")).isEmpty();
        assertThat(missing("/** A. */ public class A { private A() {} void run() {} }"))
                .isEmpty();
        assertThat(missing("/** A. */ public record A(int a) { public A { } @Override public int a() { return 1; } }"))
                .isEmpty();
    }

    private static List<String> missing(String code) {
        return JavadocSentences.missing(List.of(JavaSource.of("A.java", HEAD + code)));
    }
}
