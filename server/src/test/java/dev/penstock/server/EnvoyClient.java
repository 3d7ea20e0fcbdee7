package dev.penstock.server;

import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.List;

/** Calls a service over gRPC as Envoy does, in one domain. */
final class EnvoyClient implements AutoCloseable {
    private final String domain;
    private final ManagedChannel channel;

    EnvoyClient(int port, String domain) {
        this.domain = domain;
        channel = ManagedChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .build();
    }

    ManagedChannel channel() {
        return channel;
    }

    RateLimitServiceBlockingStub stub() {
        return RateLimitServiceGrpc.newBlockingStub(channel);
    }

    RateLimitResponse ask(RateLimitDescriptor... descriptors) {
        return ask(request(descriptors));
    }

    RateLimitResponse ask(RateLimitRequest request) {
        return stub().shouldRateLimit(request);
    }

    /** Returns true if a request with one descriptor is allowed. */
    boolean passes(String... keysAndValues) {
        return ask(descriptor(keysAndValues)).getOverallCode() == RateLimitResponse.Code.OK;
    }

    RateLimitRequest request(RateLimitDescriptor... descriptors) {
        return RateLimitRequest.newBuilder()
                .setDomain(domain)
                .addAllDescriptors(List.of(descriptors))
                .build();
    }

    static RateLimitDescriptor descriptor(String... keysAndValues) {
        RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            descriptor.addEntries(RateLimitDescriptor.Entry.newBuilder()
                    .setKey(keysAndValues[i])
                    .setValue(keysAndValues[i + 1]));
        }
        return descriptor.build();
    }

    static RateLimitDescriptor hits(RateLimitDescriptor descriptor, long hits) {
        return descriptor.toBuilder().setHitsAddend(UInt64Value.of(hits)).build();
    }

    static RateLimitDescriptor limit(RateLimitDescriptor descriptor, int requests, RateLimitUnit unit) {
        return descriptor.toBuilder()
                .setLimit(RateLimitOverride.newBuilder()
                        .setRequestsPerUnit(requests)
                        .setUnit(unit))
                .build();
    }

    /** Returns the codes and remaining amounts in order: {@code OK 2, OVER_LIMIT 0}. */
    static String told(RateLimitResponse response) {
        return String.join(
                ", ", response.getStatusesList().stream().map(EnvoyClient::told).toList());
    }

    private static String told(DescriptorStatus status) {
        return status.getCode() + (status.hasCurrentLimit() ? " " + status.getLimitRemaining() : "");
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
