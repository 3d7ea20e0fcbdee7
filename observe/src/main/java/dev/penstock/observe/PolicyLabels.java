package dev.penstock.observe;

import dev.penstock.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What policies call the things that a decision is about, in words of which there are few: no value of a request is among them.
 *
 * <p>Implementations are thread-safe and quick.
 */
public interface PolicyLabels {
    /** Where nothing is known but what decisions tell themselves. */
    PolicyLabels NONE = new PolicyLabels() {
        @Override
        public List<String> keyParts(String counter) {
            return List.of();
        }

        @Override
        public @Nullable String route(String policy, Request request) {
            return null;
        }

        @Override
        public @Nullable String plan(Request request) {
            return null;
        }
    };

    /** What the keys of a counter are made of, as in {@code tenant, ip/24}; none where it is not known. */
    List<String> keyParts(String counter);

    /**
     * The most specific pattern of the request's route, of the policy's own and those of the API; null where there is none. In one
     * version of the policies it depends on nothing of the request but its attribute {@code route}.
     */
    @Nullable
    String route(String policy, Request request);

    /** The plan that holds for the request; null where there is none. */
    @Nullable
    String plan(Request request);
}
