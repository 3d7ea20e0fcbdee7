package dev.penstock.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.penstock.observe.TopKeysReport.OfPolicy;
import dev.penstock.spi.Key;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Formats a report for exchange between nodes. It is a list of the time span in milliseconds and, for each policy, its
 * name and its two lists. Each list has {@code least}, then counter, values, count and over of each key.
 */
final class TopKeysText {
    private static final JsonFactory JSON = new JsonFactory();

    private TopKeysText() {}

    /**
     * Writes as many keys per policy as fit into the given length. For keys that are left out, {@code least} says how
     * often they may have occurred. If even the policies without keys are too long, those with the fewest requests are
     * left out.
     */
    static String write(TopKeysReport report, int mostCharacters) {
        int keys = mostKeys(report);
        String text = writeWhole(report, keys);
        while (text.length() > mostCharacters && keys > 0) {
            keys /= 2;
            text = writeWhole(report, keys);
        }
        return text.length() > mostCharacters ? writeSome(report, mostCharacters) : text;
    }

    private static int mostKeys(TopKeysReport report) {
        return report.policies().stream()
                .mapToInt(each -> Math.max(
                        each.asked().topKeys().size(), each.denied().topKeys().size()))
                .max()
                .orElse(0);
    }

    private static String writeWhole(TopKeysReport report, int keys) {
        StringBuilder text = new StringBuilder("[").append(report.span().toMillis());
        report.policies().forEach(each -> text.append(',').append(write(each, keys)));
        return text.append(']').toString();
    }

    private static String writeSome(TopKeysReport report, int mostCharacters) {
        List<OfPolicy> policies = new ArrayList<>(report.policies());
        policies.sort(Comparator.comparingLong(TopKeysText::weight).reversed());
        StringBuilder text = new StringBuilder("[").append(report.span().toMillis());
        for (OfPolicy each : policies) {
            String next = "," + write(each, 0);
            if (text.length() + next.length() < mostCharacters) {
                text.append(next);
            }
        }
        return text.append(']').toString();
    }

    private static long weight(OfPolicy policy) {
        return policy.asked().topKeys().stream().mapToLong(TopKey::count).sum();
    }

    private static String write(OfPolicy policy, int keys) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartArray();
            json.writeString(policy.policy());
            write(policy.asked().first(keys), json);
            write(policy.denied().first(keys), json);
            json.writeEndArray();
        } catch (IOException e) { // cannot happen in memory
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(TopKeyList top, JsonGenerator json) throws IOException {
        json.writeStartArray();
        json.writeNumber(top.least());
        for (TopKey topKey : top.topKeys()) {
            json.writeString(topKey.key().counter());
            json.writeString(Base64.getEncoder().encodeToString(topKey.key().bytes()));
            json.writeNumber(topKey.count());
            json.writeNumber(topKey.over());
        }
        json.writeEndArray();
    }

    /** Reads a report; null if it is not readable, because another version may have written it. */
    static @Nullable TopKeysReport read(String text) {
        try (JsonParser json = JSON.createParser(text)) {
            expect(json.nextToken() == JsonToken.START_ARRAY);
            Duration span = Duration.ofMillis(json.nextLongValue(0));
            List<OfPolicy> policies = new ArrayList<>();
            while (json.nextToken() == JsonToken.START_ARRAY) {
                String name = text(json);
                policies.add(new OfPolicy(name, top(json), top(json)));
                expect(json.nextToken() == JsonToken.END_ARRAY);
            }
            return new TopKeysReport(span, 1, policies);
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    private static TopKeyList top(JsonParser json) throws IOException {
        expect(json.nextToken() == JsonToken.START_ARRAY);
        long least = number(json);
        List<TopKey> topKeys = new ArrayList<>();
        while (json.nextToken() == JsonToken.VALUE_STRING) {
            Key key = Key.encoded(json.getText(), Base64.getDecoder().decode(text(json)));
            topKeys.add(new TopKey(key, number(json), number(json)));
        }
        return new TopKeyList(topKeys, least);
    }

    private static String text(JsonParser json) throws IOException {
        String text = json.nextTextValue();
        expect(text != null);
        return String.valueOf(text);
    }

    private static long number(JsonParser json) throws IOException {
        expect(json.nextToken() == JsonToken.VALUE_NUMBER_INT);
        return json.getLongValue();
    }

    private static void expect(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("not a report of top keys");
        }
    }
}
