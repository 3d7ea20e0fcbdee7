package dev.penstock.server.internal.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UInt64Value;
import com.google.protobuf.util.JsonFormat;
import com.linecorp.armeria.common.HttpData;
import dev.penstock.testkit.TestSeed;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that protobuf writes is read as the same request, and malformed JSON is refused. */
class RequestJsonTest {
    private static final List<String> TEXTS =
            List.of("", "a", "ü\u2028\"\\/", "\ud83d\ude00", "x".repeat(5_000), "null");
    private static final List<JsonFormat.Printer> PRINTERS = List.of(
            JsonFormat.printer(),
            JsonFormat.printer().preservingProtoFieldNames(),
            JsonFormat.printer().omittingInsignificantWhitespace(),
            JsonFormat.printer().printingEnumsAsInts());

    private final Random random = new Random();

    @Test
    void requests_areReadAsProtobufWritesThem() throws InvalidProtocolBufferException {
        random.setSeed(TestSeed.printed("requests as JSON"));
        for (int i = 0; i < 500; i++) {
            RateLimitRequest request = request();
            for (JsonFormat.Printer printer : PRINTERS) {
                String written = printer.print(request);
                assertThat(RequestJson.read(HttpData.ofUtf8(written)))
                        .as(written)
                        .isEqualTo(request);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''            | | nothing (expected: JSON)
            []            | | a list (expected: an object)
            {} {}         | | extra content after the JSON value (expected: nothing)
            {"foo": 1}    | foo | foo: unknown field (expected: domain, descriptors, hits_addend)
            {"domain": 1} | domain | domain: a number (expected: a text)
            {"descriptors": {}} | descriptors | descriptors: an object (expected: a list)
            {"descriptors": [null]} | descriptors[0] | descriptors[0]: null (expected: an object)
            {"hits_addend": 1, "hitsAddend": 1} | hits_addend | hits_addend: given twice (expected: once)
            {"domain": "a", "domain": "a"} | domain | domain: given twice (expected: once)
            {"hitsAddend": -1} | hits_addend | hits_addend: -1 (expected: a whole number from 0 to 4294967295)
            {"hitsAddend": 1.5} | hits_addend | hits_addend: 1.5 (expected: a whole number from 0 to 4294967295)
            {"hitsAddend": 1e99} | hits_addend | hits_addend: 1e99 (expected: a whole number from 0 to 4294967295)
            {"hitsAddend": 1e-999999999} | hits_addend | hits_addend: 1e-999999999 (expected: a whole number from 0 to 4294967295)
            {"hitsAddend": "many"} | hits_addend | hits_addend: a text (expected: a whole number from 0 to 4294967295)
            {"hitsAddend": true} | hits_addend | hits_addend: true or false (expected: a whole number from 0 to 4294967295)
            {"descriptors": [{"limit": {"unit": "DECADE"}}]} | descriptors[0].limit.unit | descriptors[0].limit.unit: unknown unit (expected: UNKNOWN, SECOND, MINUTE, HOUR, DAY, MONTH, YEAR)
            {"descriptors": [{"entries": [{"k": ""}]}]} | descriptors[0].entries[0].k | descriptors[0].entries[0].k: unknown field (expected: key, value)
            """)
    void requests_withErrors_areRefusedWithTheNameOfTheField(String body, @Nullable String field, String problem) {
        assertThatThrownBy(() -> RequestJson.read(HttpData.ofUtf8(body)))
                .hasMessage(problem)
                .isInstanceOfSatisfying(
                        RefusedRequest.class,
                        refused -> assertThat(refused.field()).isEqualTo(field));
    }

    /** Variants of JSON that some parsers accept. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{'domain': 'edge'}",
                "{domain: \"edge\"}",
                "{\"domain\": edge}",
                "{\"domain\": \"edge\",}",
                "{\"domain\": \"edge\" // so\n}",
                "/* so */ {\"domain\": \"edge\"}",
                "{\"hitsAddend\": NaN}",
                "{\"hitsAddend\": 01}",
                "{\"hitsAddend\": +1}",
                "{\"domain\"=\"edge\"}",
                "{\"domain\": \"a\nb\"}",
                "{\"domain\": \"\\x\"}"
            })
    void requests_inLenientJson_areRefused_withoutTheParsersMessage(String body) {
        assertThatThrownBy(() -> RequestJson.read(HttpData.ofUtf8(body)))
                .isInstanceOf(RefusedRequest.class)
                .message()
                .matches("not JSON at line [12], column [0-9]+");
    }

    @Test
    void tooLongNumbers_areRefused_withoutTheParsersMessage() {
        assertThatThrownBy(() -> RequestJson.read(HttpData.ofUtf8("{\"hitsAddend\": " + "1".repeat(50_000) + "}")))
                .isInstanceOf(RefusedRequest.class)
                .message()
                .matches("a number, text or word that is too long, at line 1, column [0-9]+");
    }

    private RateLimitRequest request() {
        RateLimitRequest.Builder request =
                RateLimitRequest.newBuilder().setDomain(text()).setHitsAddend(random.nextInt());
        for (int i = random.nextInt(4); i > 0; i--) {
            request.addDescriptors(descriptor());
        }
        return request.build();
    }

    private RateLimitDescriptor descriptor() {
        RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            descriptor.addEntries(
                    RateLimitDescriptor.Entry.newBuilder().setKey(text()).setValue(text()));
        }
        if (random.nextBoolean()) {
            descriptor.setHitsAddend(UInt64Value.of(random.nextLong() >>> random.nextInt(64)));
        }
        if (random.nextBoolean()) {
            descriptor.setLimit(RateLimitOverride.newBuilder()
                    .setRequestsPerUnit(random.nextInt())
                    .setUnit(RateLimitUnit.forNumber(random.nextInt(7))));
        }
        return descriptor.build();
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }
}
