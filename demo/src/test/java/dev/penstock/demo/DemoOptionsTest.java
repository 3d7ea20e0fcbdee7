package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoOptionsTest {
    private static DemoOptions parse(String arguments) {
        return DemoOptions.parse(arguments.isEmpty() ? List.of() : List.of(arguments.split(" ", -1)));
    }

    @Test
    void parse_nothing_usesDefaultPortsInMemoryWithoutEnd() {
        assertThat(parse("")).isEqualTo(new DemoOptions(8080, 8081, false, 0, 1, false));
    }

    @Test
    void parse_everything_isRead() {
        assertThat(parse("--redis --port 0 --admin-port 0 --minutes 10080 --speed 20 --help"))
                .isEqualTo(new DemoOptions(0, 0, true, 10_080, 20, true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port | --port: no value (expected: 0 to 65535)",
                "--port 65536 | --port: 65536 (expected: 0 to 65535)",
                "--port -1 | --port: -1 (expected: 0 to 65535)",
                "--admin-port http | --admin-port: http (expected: 0 to 65535)",
                "--port 9000 --admin-port 9000 | --admin-port: 9000 (expected: a port other than --port)",
                "--port 8081 | --admin-port: 8081 (expected: a port other than --port)",
                "--minutes 0 | --minutes: 0 (expected: 1 to 10080)",
                "--minutes 99999999999 | --minutes: 99999999999 (expected: 1 to 10080)",
                "--speed 21 | --speed: 21 (expected: 1 to 20)",
                "--reddis | --reddis: no such option (expected: --redis, --port N, --admin-port N, --minutes N, --speed N, --help)"
            })
    void parse_wrong_isOneLine(String arguments, String message) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
