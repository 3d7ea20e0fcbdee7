package dev.penstock.server.internal.fields;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.Denied;
import dev.penstock.Retry;
import dev.penstock.internal.Expect;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A problem document of RFC 9457: what went wrong with a request, for programs and for people. Immutable.
 *
 * @param type a URI; {@code about:blank} where the status says it all
 * @param status the one that the answer has
 * @param detail a sentence about this request
 * @param reason why the request was denied, as {@code /v1/check} names it; null where the type has no such member
 * @param violatedPolicies the limits that denied, by the names that they have in the header fields, as far as clients may
 *     learn of them; null where the type has no such member
 * @param field what of the request is wrong; null where it is no single part of it
 */
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String reason,
        @Nullable List<String> violatedPolicies,
        @Nullable String field) {
    public static final String MEDIA_TYPE = "application/problem+json";

    private static final JsonFactory JSON = new JsonFactory();

    public Problem {
        Expect.text(type, "type");
        Expect.text(title, "title");
        Expect.between(status, 400, 599, "status");
        Expect.text(detail, "detail");
        violatedPolicies = violatedPolicies == null ? null : List.copyOf(violatedPolicies);
    }

    /** A denial, answered with that status. */
    public static Problem of(Denied denied, int status) {
        ProblemType type = ProblemType.of(denied);
        if (!type.isRegistered()) {
            return ofRequest(status, detail(denied, List.of()), null);
        }
        List<String> violated = ShownLimits.of(denied).violated();
        return new Problem(type.uri(), type.title(), status, detail(denied, violated), reason(denied), violated, null);
    }

    /** Something that is wrong with a request: nothing was decided, or no limit was asked. */
    public static Problem ofRequest(int status, String detail, @Nullable String field) {
        return new Problem(ProblemType.BLANK, phrase(status), status, detail, null, null, field);
    }

    private static String reason(Denied denied) {
        return denied.reason().name().toLowerCase(Locale.ROOT);
    }

    private static String detail(Denied denied, List<String> violated) {
        return switch (denied.reason()) {
            case LIMIT_EXCEEDED -> exceeded(denied, violated);
            case BLOCKED -> "Too many requests were denied; until the time to retry all of them are.";
            case STORE_FULL, STORE_FAILED -> "The request cannot be counted at present.";
            case TOO_MANY_NEW_KEYS -> "Too many new keys were created in the last second. Try again in a second.";
            case OVERLOADED -> "This node has more requests than it can handle. No limit was exceeded.";
            case PERMIT_EXPIRED -> "The request would wait for its turn longer than its permit lasts.";
            case LISTED -> "The request is not admitted, whatever was counted.";
            case ID_TAKEN -> "The id of the request is that of another one.";
        };
    }

    private static String exceeded(Denied denied, List<String> violated) {
        String what = violated.isEmpty()
                ? "a limit"
                : violated.size() == 1 ? "the limit " + violated.get(0) : "the limits " + String.join(", ", violated);
        return denied.retry() instanceof Retry.Never
                ? "The request costs more than " + what + " can ever give; no waiting helps."
                : "The request asks for more than " + what + " can give at present.";
    }

    /** What RFC 9110 and its companions call the status, as the title of a document without a type is to be. */
    private static String phrase(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 409 -> "Conflict";
            case 410 -> "Gone";
            case 411 -> "Length Required";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 415 -> "Unsupported Media Type";
            case 417 -> "Expectation Failed";
            case 422 -> "Unprocessable Content";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 503 -> "Service Unavailable";
            default -> status < 500 ? "Client Error" : "Server Error";
        };
    }

    /** The document in UTF-8, of the media type {@value #MEDIA_TYPE}. */
    public byte[] toJson() {
        StringWriter text = new StringWriter(256); // not bytes at once: half of a pair, which UTF-8 lacks, becomes a ?
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("type", type);
            json.writeStringField("title", title);
            json.writeNumberField("status", status);
            json.writeStringField("detail", detail);
            if (reason != null) {
                json.writeStringField("reason", reason);
            }
            if (violatedPolicies != null) {
                json.writeArrayFieldStart("violated-policies");
                for (String name : violatedPolicies) {
                    json.writeString(name);
                }
                json.writeEndArray();
            }
            if (field != null) {
                json.writeStringField("field", field);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot be: nothing but memory is written to", e);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
