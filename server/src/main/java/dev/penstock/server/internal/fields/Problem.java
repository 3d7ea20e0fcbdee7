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
 * A problem document (RFC 9457): says what went wrong with a request, for programs and for people. Immutable.
 *
 * @param type a URI; {@code about:blank} if the status says everything
 * @param status the status of the answer
 * @param detail a sentence about this request
 * @param reason why the request was denied, in the words of {@code /v1/check}; null if the type has no such member
 * @param action what the caller should do, in the words of {@code /v1/check}; null if the type has no such member
 * @param violatedPolicies the limits that denied, by their names in the header fields, as far as clients may see them;
 *     null if the type has no such member
 * @param missing the attributes that these limits count by and the request lacks; null if there is none
 * @param field the invalid part of the request; null if it is not a single part
 */
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String reason,
        @Nullable String action,
        @Nullable List<String> violatedPolicies,
        @Nullable List<String> missing,
        @Nullable String field) {
    public static final String MEDIA_TYPE = "application/problem+json";

    private static final JsonFactory JSON = new JsonFactory();

    public Problem {
        Expect.text(type, "type");
        Expect.text(title, "title");
        Expect.between(status, 400, 599, "status");
        Expect.text(detail, "detail");
        violatedPolicies = violatedPolicies == null ? null : List.copyOf(violatedPolicies);
        missing = missing == null ? null : List.copyOf(missing);
    }

    /** Returns the document for a denial that is answered with this status. */
    public static Problem of(Denied denied, int status) {
        ProblemType type = ProblemType.of(denied);
        if (!type.isRegistered()) {
            return ofRequest(status, detail(denied, List.of(), List.of()), null);
        }
        ShownLimits shown = ShownLimits.of(denied);
        List<String> violated = shown.violated();
        List<String> missing = shown.missing();
        return new Problem(
                type.uri(),
                type.title(),
                status,
                detail(denied, violated, missing),
                reason(denied),
                denied.reason() == Denied.Reason.OVERLOADED
                        ? null
                        : denied.action().word(),
                violated,
                missing.isEmpty() ? null : missing,
                null);
    }

    /** Returns the document for a request that was not decided, or that was denied without checking a limit. */
    public static Problem ofRequest(int status, String detail, @Nullable String field) {
        return new Problem(ProblemType.BLANK, phrase(status), status, detail, null, null, null, null, field);
    }

    private static String reason(Denied denied) {
        return denied.reason().name().toLowerCase(Locale.ROOT);
    }

    private static String detail(Denied denied, List<String> violated, List<String> missing) {
        return switch (denied.reason()) {
            case LIMIT_EXCEEDED -> exceeded(denied, violated) + shared(missing);
            case BLOCKED -> "The caller is blocked. All its requests are denied until the time to retry.";
            case STORE_FULL, STORE_FAILED -> "The request cannot be counted right now.";
            case TOO_MANY_NEW_KEYS -> "Too many new keys were created in the last second. Try again in a second.";
            case OVERLOADED -> "This node has more requests than it can handle. No limit was exceeded.";
            case PERMIT_EXPIRED -> "The request would wait for its turn longer than its permit lasts.";
            case LISTED -> "The request is denied regardless of its limits.";
            case ID_TAKEN -> "The id of the request is already used by another one.";
        };
    }

    private static String exceeded(Denied denied, List<String> violated) {
        String what = violated.isEmpty()
                ? "a limit"
                : violated.size() == 1 ? "the limit " + violated.get(0) : "the limits " + String.join(", ", violated);
        return denied.retry() instanceof Retry.Never
                ? "The request costs more than " + what + " can ever allow. Waiting does not help."
                : "The request costs more than " + what + " can allow right now.";
    }

    /** Says that the denial may be caused by other callers. */
    private static String shared(List<String> missing) {
        return missing.isEmpty()
                ? ""
                : " It has no " + String.join(" and no ", missing)
                        + ", so it is counted together with all other requests that have none.";
    }

    /** Returns the status phrase of RFC 9110, which is the title of a document without a type. */
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

    /** Returns the document in UTF-8, with the media type {@value #MEDIA_TYPE}. */
    public byte[] toJson() {
        StringWriter text = new StringWriter(256); // a String turns lone surrogates into ?
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("type", type);
            json.writeStringField("title", title);
            json.writeNumberField("status", status);
            json.writeStringField("detail", detail);
            if (reason != null) {
                json.writeStringField("reason", reason);
            }
            if (action != null) {
                json.writeStringField("action", action);
            }
            if (violatedPolicies != null) {
                json.writeArrayFieldStart("violated-policies");
                for (String name : violatedPolicies) {
                    json.writeString(name);
                }
                json.writeEndArray();
            }
            if (missing != null) {
                json.writeArrayFieldStart("missing");
                for (String attribute : missing) {
                    json.writeString(attribute);
                }
                json.writeEndArray();
            }
            if (field != null) {
                json.writeStringField("field", field);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
