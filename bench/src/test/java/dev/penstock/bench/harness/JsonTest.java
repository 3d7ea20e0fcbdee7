package dev.penstock.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void text_nested_hasALineForEachMember() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", "core");
        map.put("rounds", Arrays.asList(1, 2.5, null, true));
        map.put("scores", List.of(Map.of("ops", 7)));
        map.put("none", Map.of());

        assertThat(Json.text(map)).isEqualTo("""
                {
                  "name": "core",
                  "rounds": [1, 2.5, null, true],
                  "scores": [
                    {
                      "ops": 7
                    }
                  ],
                  "none": {}
                }
                """);
    }

    @Test
    void text_specialCharacters_areEscaped() {
        assertThat(Json.text("a\"b\\c\nd\u00e9")).isEqualTo("\"a\\\"b\\\\c\\u000ad\u00e9\"\n");
    }

    @Test
    void text_ofAnUnsupportedType_isRefused() {
        assertThatThrownBy(() -> Json.text('c')).isInstanceOf(IllegalArgumentException.class);
    }
}
