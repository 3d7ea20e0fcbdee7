package dev.penstock.bench.redis;

/** How peers that leave it to their users name a key: the policy, then the value. */
final class Keys {
    private static final String POLICY = "api:";

    private Keys() {}

    static String of(String value) {
        return POLICY + value;
    }
}
