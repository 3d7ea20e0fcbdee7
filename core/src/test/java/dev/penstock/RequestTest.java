package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestTest {
    @Test
    void with_returnsACopyWithTheValueReplaced() {
        Request first = Request.of("user", "a");
        Request second = first.with("tenant", "t").with("user", "b").cost("tokens", 7);
        assertThat(first.attribute("user")).isEqualTo("a");
        assertThat(first.attribute("tenant")).isNull();
        assertThat(second.attribute("user")).isEqualTo("b");
        assertThat(second.costs().asMap()).isEqualTo(Map.of("tokens", 7L));
        assertThat(second.attributeNames()).containsExactly("user", "tenant");
    }

    @Test
    void toString_neverShowsAValue() {
        Request request = Request.of(Map.of("api_key", "s3cr3t")).id("id-1").timeout(Duration.ofMillis(5));
        assertThat(request.toString()).contains("api_key").doesNotContain("s3cr3t");
        Limiter limiter = Limiter.of(Policy.named("p").limit(Limit.tokenBucket(1, Duration.ofMinutes(1)), "api_key"));
        Decision allowed = limiter.decide(request);
        Decision denied = limiter.decide(request.id("id-2"));
        assertThat(allowed + " " + allowed.limits() + allowed.charges() + denied + denied.limits())
                .doesNotContain("s3cr3t");
    }
}
