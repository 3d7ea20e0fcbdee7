package dev.penstock.server.internal.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.server.internal.fields.StructuredFields.DisplayString;
import dev.penstock.server.internal.fields.StructuredFields.Item;
import dev.penstock.server.internal.fields.StructuredFields.Token;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the reader that the other tests rely on, with the examples of RFC 9651 and of the draft. */
class StructuredFieldsTest {
    @Test
    void list_examples_areRead() {
        assertThat(StructuredFields.list("\"burst\";q=100;w=60,\"daily\";q=1000;w=86400"))
                .containsExactly(
                        new Item("burst", Map.of("q", 100L, "w", 60L)),
                        new Item("daily", Map.of("q", 1000L, "w", 86400L)));
        assertThat(StructuredFields.list("sugar, tea , *rum"))
                .extracting(Item::value)
                .containsExactly(new Token("sugar"), new Token("tea"), new Token("*rum"));
        assertThat(StructuredFields.list("(\"foo\" \"bar\");lvl=5, ()"))
                .containsExactly(
                        new Item(List.of(new Item("foo", Map.of()), new Item("bar", Map.of())), Map.of("lvl", 5L)),
                        new Item(List.of(), Map.of()));
        assertThat(StructuredFields.list("-4.5; a;b=?0, @1659578233, %\"f%c3%bc\""))
                .containsExactly(
                        new Item(new BigDecimal("-4.5"), Map.of("a", true, "b", false)),
                        new Item(Instant.ofEpochSecond(1659578233), Map.of()),
                        new Item(new DisplayString("fü"), Map.of()));
        assertThat(StructuredFields.list(":aGk=:").get(0).value()).isEqualTo(new byte[] {'h', 'i'});
        assertThat(StructuredFields.list("\"a\\\"\\\\\"").get(0).value()).isEqualTo("a\"\\");
        assertThat(StructuredFields.list("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"a",
                "\"a\\b\"",
                "\"ä\"",
                "\"a\",",
                "\"a\" \"b\"",
                "\"a\";",
                "\"a\";Q=1",
                "\"a\";q=",
                "\"a\";q =1",
                "\"a\" ;q=1",
                "\"a\";q=1;q=2",
                "1000000000000000",
                "1.",
                "1.2345",
                "-",
                "--1",
                "+1",
                "(a",
                "(a,b)",
                "?2",
                ":a",
                ",a",
                "a,,b",
                "%\"%C3\"",
                "@1.5",
                "'a'"
            })
    void list_malformed_isRefused(String input) {
        assertThatIllegalArgumentException().isThrownBy(() -> StructuredFields.list(input));
    }
}
