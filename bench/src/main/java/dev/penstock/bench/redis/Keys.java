package dev.penstock.bench.redis;

/** Names keys for libraries that leave this to their users: the policy, then the value. */
final class Keys {
    private static final String POLICY = "api:";

    private Keys() {}

    static String of(String value) {
        return POLICY + value;
    }
}
