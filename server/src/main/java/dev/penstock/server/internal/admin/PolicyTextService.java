package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.PolicySource;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.server.json.PolicyCheckJson;
import dev.penstock.server.json.PolicyErrorJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code /admin/policies/source} and {@code /admin/policies/check}: returns the policy files in use, and checks other
 * texts without changing anything.
 */
public final class PolicyTextService {
    private static final String FILE = "file";

    /** The name in error messages of a text that replaces no file. */
    private static final String BODY = "body";

    private final PolicyWatch policies;

    public PolicyTextService(PolicyWatch policies) {
        this.policies = policies;
    }

    /** {@code GET /admin/policies/source}: returns the policy files in use. */
    public HttpService source() {
        return (context, request) -> {
            Policies inUse = policies.policies();
            return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
                json.writeStartObject();
                json.writeNumberField("version", inUse.version().number());
                json.writeStringField("hash", inUse.version().hash());
                json.writeArrayFieldStart("files");
                for (PolicySource each : inUse.sources()) {
                    json.writeStartObject();
                    json.writeStringField("name", each.name());
                    json.writeStringField("text", each.text());
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }));
        };
    }

    /**
     * {@code POST /admin/policies/check}: checks the policies in the body, alone or as a replacement of a file in use.
     */
    public AggregatedService check() {
        return (context, request) -> {
            List<PolicySource> texts = texts(context, text(request));
            return CompletableFuture.supplyAsync(() -> checked(texts), context.blockingTaskExecutor());
        };
    }

    private static String text(AggregatedHttpRequest request) throws BadRequest {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(request.content().array()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadRequest(null, "not UTF-8 text (expected: policies in YAML)");
        }
    }

    private List<PolicySource> texts(ServiceRequestContext context, String text) throws BadRequest {
        QueryParams query = context.queryParams();
        for (String word : query.names()) {
            if (!word.equals(FILE)) {
                throw new BadRequest(word, "unknown parameter (expected: " + FILE + ")");
            }
        }
        String file = query.get(FILE);
        if (file == null) {
            return List.of(new PolicySource(BODY, text));
        }
        List<PolicySource> texts = new ArrayList<>(policies.policies().sources());
        String name = nameOf(file, texts);
        texts.replaceAll(each -> each.name().equals(name) ? new PolicySource(name, text) : each);
        return texts;
    }

    /**
     * Finds a file by its full name or by the end of it. A query cannot contain {@code ..}, because that could lead out
     * of a folder.
     */
    private static String nameOf(String file, List<PolicySource> inForce) throws BadRequest {
        List<String> names = inForce.stream().map(PolicySource::name).toList();
        if (names.contains(file)) {
            return file;
        }
        List<String> ending =
                names.stream().filter(name -> name.endsWith("/" + file)).toList();
        if (ending.size() != 1) {
            throw new BadRequest(
                    FILE,
                    file + (ending.isEmpty() ? "" : ", which matches " + ending.size() + " files")
                            + " (expected: a policy file in use)");
        }
        return ending.get(0);
    }

    private static HttpResponse checked(List<PolicySource> texts) {
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            try {
                Policies read = Policies.loader().withoutSecrets().parse(texts);
                json.writeBooleanField("valid", true);
                PolicyCheckJson.write(json, read);
            } catch (PolicyErrors e) {
                json.writeBooleanField("valid", false);
                PolicyErrorJson.write(json, "errors", e.errors());
            }
            json.writeEndObject();
        }));
    }
}
