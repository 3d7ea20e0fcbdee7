package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.HttpData;
import dev.penstock.Request;
import dev.penstock.policy.Policies;
import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.JsonReader;
import dev.penstock.server.internal.http.RequestBody;
import dev.penstock.spi.Charge;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON body that selects counters: those that a request is counted under, {@code {"attributes": {...}}}, those of a key
 * of a policy, {@code {"policy": "...", "limit": "...", "key": ["..."]}}, or that of a descriptor in the rules for Envoy,
 * {@code {"domain": "...", "descriptor": [{"key": "...", "value": "..."}]}}.
 *
 * @param request the request; null if a policy or a descriptor is named
 * @param domain the domain of the descriptor; null if none is named
 * @param limit the id of the limit; null for all limits with such keys
 * @param life how long the change lasts, {@code "for_ms": ...}; null if the call has no such field
 */
record KeysBody(
        @Nullable Request request,
        @Nullable String policy,
        @Nullable String limit,
        List<@Nullable String> key,
        @Nullable String domain,
        @Nullable EnvoyDescriptor descriptor,
        @Nullable Duration life) {
    private static final int MOST_PARTS = 16;
    private static final String WORDS = "attributes, or policy, limit and key, or domain and descriptor";
    private static final String TIMED_WORDS = WORDS + ", and for_ms";

    static KeysBody read(HttpData body) throws BadRequest {
        return read(body, new Draft(null));
    }

    /** Reads a body that must also have {@code for_ms}, a time of at most {@code longest}. */
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
     * Returns the selected charges at cost 0.
     *
     * @param rules the rules for Envoy in use; null if there are none
     * @throws BadRequest if there is no such policy, limit, key or rule
     */
    List<Charge> charges(Policies policies, @Nullable EnvoyRules rules) throws BadRequest {
        if (domain != null && descriptor != null) {
            if (rules == null) {
                throw new BadRequest(
                        "domain", domain + " (expected: policy and key, because no envoy.rules are in use)");
            }
            Charge charge = rules.charge(domain, descriptor);
            if (charge == null) {
                throw new BadRequest("descriptor", "counted by no rule (expected: keys and values that a rule counts)");
            }
            return List.of(charge);
        }
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
        private @Nullable String domain;
        private @Nullable EnvoyDescriptor descriptor;

        /** @param longest the maximum of {@code for_ms}; null if the body must not have that field */
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
                case "domain" -> domain = notEmpty(json.text(path), path);
                case "descriptor" -> descriptor = descriptor(json, path);
                default -> throw json.unknown(path, longest == null ? WORDS : TIMED_WORDS);
            }
        }

        private static EnvoyDescriptor descriptor(JsonReader json, String path) throws BadRequest, IOException {
            List<EnvoyDescriptor.Entry> entries = new ArrayList<>();
            json.list(path, MOST_PARTS, item -> entries.add(entry(item, path + "[" + entries.size() + "]")));
            if (entries.isEmpty()) {
                throw new BadRequest(path, "an empty list (expected: at least one key)");
            }
            return new EnvoyDescriptor(entries, null, null);
        }

        private static EnvoyDescriptor.Entry entry(JsonReader json, String at) throws BadRequest, IOException {
            Map<String, String> words = new HashMap<>();
            json.object(at, (word, path) -> {
                if (!word.equals("key") && !word.equals("value")) {
                    throw json.unknown(path, "key and value");
                }
                words.put(word, json.text(path));
            });
            String key = words.get("key");
            if (key == null) {
                throw new BadRequest(at + ".key", "nothing (expected: a text)");
            }
            return new EnvoyDescriptor.Entry(notEmpty(key, at + ".key"), words.getOrDefault("value", ""));
        }

        private static String notEmpty(String text, String path) throws BadRequest {
            if (text.isEmpty()) {
                throw new BadRequest(path, "empty (expected: a text)");
            }
            return text;
        }

        KeysBody body() throws BadRequest {
            if (domain != null || descriptor != null) {
                return ofDescriptor();
            } else if (request != null) {
                refuseBeside("policy", policy, "attributes");
                refuseBeside("limit", limit, "attributes");
                refuseBeside("key", key, "attributes");
                return new KeysBody(request, null, null, List.of(), null, null, life());
            } else if (policy == null) {
                throw new BadRequest(
                        key == null && limit == null ? "attributes" : "policy", "nothing (expected: " + WORDS + ")");
            } else if (key == null) {
                throw new BadRequest("key", "nothing (expected: a list)");
            }
            return new KeysBody(null, policy, limit, key, null, null, life());
        }

        private KeysBody ofDescriptor() throws BadRequest {
            refuseBeside("attributes", request, "domain");
            refuseBeside("policy", policy, "domain");
            refuseBeside("limit", limit, "domain");
            refuseBeside("key", key, "domain");
            if (domain == null || descriptor == null) {
                throw new BadRequest(
                        domain == null ? "domain" : "descriptor", "nothing (expected: domain and descriptor)");
            }
            return new KeysBody(null, null, null, List.of(), domain, descriptor, life());
        }

        private @Nullable Duration life() throws BadRequest {
            if (longest != null && life == null) {
                throw new BadRequest("for_ms", "nothing (expected: milliseconds)");
            }
            return life;
        }

        private static void refuseBeside(String word, @Nullable Object given, String other) throws BadRequest {
            if (given != null) {
                throw new BadRequest(word, "given together with " + other + " (expected: " + WORDS + ")");
            }
        }
    }
}
