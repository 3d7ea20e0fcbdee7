package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.TraceFlavor;
import dev.penstock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts send numbers to Redis as text, because some versions of Redis write a Lua number as {@code 1e+8}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScriptNumbersIT {
    private static final int TRACES = 10;

    /** Replaces {@code redis} with the same functions, which reject numbers. */
    private static final String REFUSING = """
            local redis = (function(real)
              local function refusing(call)
                return function(...)
                  for i = 1, select('#', ...) do
                    if type((select(i, ...))) == 'number' then
                      error({err = 'ERR a number reaches ' .. (...)})
                    end
                  end
                  return call(...)
                end
              end
              return {call = refusing(real.call), pcall = refusing(real.pcall)}
            end)(redis)
            """;

    /** A call, up to its closing parenthesis, with at most two levels of nested calls. */
    private static final Pattern CALL =
            Pattern.compile("\\b(?:redis\\.p?call|call|tryCall)(\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\))");

    private final RedisTraces traces = new RedisTraces(RedisServer.start());

    @AfterAll
    void stop() {
        traces.close();
    }

    @ParameterizedTest
    @EnumSource
    void randomTraces_noNumberReachesRedis(TraceFlavor flavor) {
        traces.run(
                "with a Redis that refuses numbers",
                flavor,
                TRACES,
                node -> node.get().edition(text -> REFUSING + text).build());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "account.lua",
                "batch.lua",
                "bucket.lua",
                "request.lua",
                "holds.lua",
                "sliding_log.lua",
                "notes.lua",
                "claim.lua",
                "clock.lua",
                "decide.lua",
                "heartbeat.lua",
                "permit.lua"
            })
    void script_hasNoArithmeticInACall(String file) throws IOException {
        assertThat(arithmetic(read(file))).isEmpty();
    }

    @Test
    void arithmetic_isFound() {
        assertThat(arithmetic("redis.call('PEXPIRE', key, last - now)")).hasSize(1);
        assertThat(arithmetic("redis.call('LINDEX', key, 0)")).hasSize(1);
        assertThat(arithmetic("redis.call('GET', a .. '-', string.format('%d', a - 1), KEYS[3 * i])"))
                .isEmpty();
    }

    /** Returns the calls in which a number or a sum is an argument. */
    private static List<String> arithmetic(String script) {
        List<String> found = new ArrayList<>();
        Matcher calls = CALL.matcher(script.replaceAll("--[^\n]*", ""));
        while (calls.find()) {
            String arguments = calls.group(1)
                    .substring(1)
                    .replaceAll("'[^']*'", "text")
                    .replaceAll("\\[[^\\]]*\\]", "")
                    .replaceAll("[\\w.:]+\\((?:[^()]|\\([^()]*\\))*\\)", "text");
            if (Pattern.compile("[-+*/%]|(?<![\\w.])\\d").matcher(arguments).find()) {
                found.add(calls.group());
            }
        }
        return found;
    }

    private static String read(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(Script.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
