package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.HttpData;
import dev.penstock.Charge;
import dev.penstock.Request;
import dev.penstock.policy.Policies;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.JsonReader;
import dev.penstock.server.internal.http.RequestBody;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which counters are meant, as JSON: those that a request meets, {@code {"attributes": {...}}}, or those of a policy's key,
 * {@code {"policy": "...", "limit": "...", "key": ["..."]}}.
 *
 * @param request null where a policy is named
 * @param limit null for all limits with such keys
 */
record KeysBody(
        @Nullable Request request,
        @Nullable String policy,
        @Nullable String limit,
        List<@Nullable String> key) {
    private static final int MOST_PARTS = 16;
    private static final String WORDS = "attributes, or policy, limit and key";

    static KeysBody read(HttpData body) throws BadRequest {
        Draft draft = new Draft();
        return JsonReader.read(body, json -> {
            json.object(null, (word, path) -> draft.read(json, word, path));
            return draft.body();
        });
    }

    /**
     * The counters, at no cost.
     *
     * @throws BadRequest where there is no such policy, limit or key
     */
    List<Charge> charges(Policies policies) throws BadRequest {
        if (request != null) {
            return policies.match(request).charges().stream()
                    .map(KeysBody::free)
                    .toList();
        }
        try {
            return policies.charges(policy == null ? "" : policy, limit, key);
        } catch (IllegalArgumentException e) {
            String[] words = String.valueOf(e.getMessage()).split(": ", 2);
            throw new BadRequest(words[0], words[words.length - 1]);
        }
    }

    private static Charge free(Charge charge) {
        Charge free = Charge.of(charge.terms(), charge.key(), 0);
        String colocation = charge.colocation();
        return colocation == null ? free : free.colocation(colocation);
    }

    /** A body that is being read. */
    private static final class Draft {
        private @Nullable Request request;
        private @Nullable String policy;
        private @Nullable String limit;
        private @Nullable List<@Nullable String> key;

        void read(JsonReader json, String word, String path) throws BadRequest, IOException {
            switch (word) {
                case "attributes" -> request = RequestBody.attributes(json, path);
                case "policy" -> policy = json.text(path);
                case "limit" -> limit = json.text(path);
                case "key" -> {
                    List<@Nullable String> values = new ArrayList<>();
                    json.list(
                            path,
                            MOST_PARTS,
                            item -> values.add(item.isNull() ? null : item.text(path + "[" + values.size() + "]")));
                    key = values;
                }
                default -> throw json.unknown(path, WORDS);
            }
        }

        KeysBody body() throws BadRequest {
            if (request != null) {
                refuseBeside("policy", policy);
                refuseBeside("limit", limit);
                refuseBeside("key", key);
                return new KeysBody(request, null, null, List.of());
            } else if (policy == null) {
                throw new BadRequest(
                        key == null && limit == null ? "attributes" : "policy", "nothing (expected: " + WORDS + ")");
            } else if (key == null) {
                throw new BadRequest("key", "nothing (expected: a list)");
            }
            return new KeysBody(null, policy, limit, key);
        }

        private static void refuseBeside(String word, @Nullable Object given) throws BadRequest {
            if (given != null) {
                throw new BadRequest(word, "given beside attributes (expected: " + WORDS + ")");
            }
        }
    }
}
