package dev.penstock.server;

import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The headers and metadata in a response to Envoy. */
final class EnvoyHeaders {
    private EnvoyHeaders() {}

    static Map<String, String> of(RateLimitResponse response) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (HeaderValue header : response.getResponseHeadersToAddList()) {
            headers.put(header.getKey(), header.getValue());
        }
        return headers;
    }

    /** Returns the texts of a list in the metadata. */
    static List<String> metadata(RateLimitResponse response, String field) {
        return response.getDynamicMetadata().getFieldsOrThrow(field).getListValue().getValuesList().stream()
                .map(Value::getStringValue)
                .toList();
    }
}
