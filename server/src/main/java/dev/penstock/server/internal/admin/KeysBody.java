package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.HttpData;
import dev.penstock.Request;
import dev.penstock.policy.Policies;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.JsonReader;
import dev.penstock.server.internal.http.RequestBody;
import dev.penstock.spi.Charge;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which counters are meant, as JSON: those that a request meets, {@code {"attributes": {...}}}, or those of a policy's key,
 * {@code {"policy": "...", "limit": "...", "key": ["..."]}}.
 *
 * @param request null where a policy is named
 * @param limit null for all limits with such keys
 * @param life for how long something is to hold for them, {@code "for_ms": ...}; null where that is not asked
 */
record KeysBody(
        @Nullable Request request,
        @Nullable String policy,
        @Nullable String limit,
        List<@Nullable String> key,
        @Nullable Duration life) {
    private static final int MOST_PARTS = 16;
    private static final String WORDS = "attributes, or policy, limit and key";
    private static final String TIMED_WORDS = WORDS + ", and for_ms";

    static KeysBody read(HttpData body) throws BadRequest {
        return read(body, new Draft(null));
    }

    /** With the time that something is to hold, at most so long; it has to be there. */
    static KeysBody readTimed(HttpData body, Duration longest) throws BadRequest {
        return read(body, new Draft(longest));
    }

    private static KeysBody read(HttpData body, Draft draft) throws BadRequest {
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
                    .map(charge -> charge.at(0))
                    .toList();
        }
        try {
            return policies.charges(policy == null ? "" : policy, limit, key);
        } catch (IllegalArgumentException e) {
            String[] words = String.valueOf(e.getMessage()).split(": ", 2);
            throw new BadRequest(words[0], words[words.length - 1]);
        }
    }

    /** A body that is being read. */
    private static final class Draft {
        private final @Nullable Duration longest;
        private @Nullable Duration life;
        private @Nullable Request request;
        private @Nullable String policy;
        private @Nullable String limit;
        private @Nullable List<@Nullable String> key;

        /** @param longest null where no time is asked */
        Draft(@Nullable Duration longest) {
            this.longest = longest;
        }

        void read(JsonReader json, String word, String path) throws BadRequest, IOException {
            if (longest != null && word.equals("for_ms")) {
                life = RequestBody.aboveZero(json, path, longest);
                return;
            }
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
                default -> throw json.unknown(path, longest == null ? WORDS : TIMED_WORDS);
            }
        }

        KeysBody body() throws BadRequest {
            if (request != null) {
                refuseBeside("policy", policy);
                refuseBeside("limit", limit);
                refuseBeside("key", key);
                return new KeysBody(request, null, null, List.of(), life());
            } else if (policy == null) {
                throw new BadRequest(
                        key == null && limit == null ? "attributes" : "policy", "nothing (expected: " + WORDS + ")");
            } else if (key == null) {
                throw new BadRequest("key", "nothing (expected: a list)");
            }
            return new KeysBody(null, policy, limit, key, life());
        }

        private @Nullable Duration life() throws BadRequest {
            if (longest != null && life == null) {
                throw new BadRequest("for_ms", "nothing (expected: milliseconds)");
            }
            return life;
        }

        private static void refuseBeside(String word, @Nullable Object given) throws BadRequest {
            if (given != null) {
                throw new BadRequest(word, "given beside attributes (expected: " + WORDS + ")");
            }
        }
    }
}
