package dev.penstock.algorithm;

/** Allows a burst up to the capacity, then exactly the rate. */
final class TokenBucketRule extends BucketRule {
    private TokenBucketRule(Numbers numbers) {
        super(numbers, "bucket");
    }

    static TokenBucketRule of(TokenBucket bucket, long maxDebt) {
        return new TokenBucketRule(
                Numbers.of(bucket.word(), bucket.permits(), bucket.period(), bucket.burst(), maxDebt));
    }

    @Override
    String kind() {
        return "token_bucket";
    }

    @Override
    public long[] scriptNumbers() {
        return new long[] {0, tickMicros, capacity, maxDebt, n, p, numbers.ceiling()};
    }

    @Override
    BucketRule with(Numbers other) {
        return new TokenBucketRule(other);
    }

    @Override
    long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros) {
        long wanted = refused.held() + refused.cost;
        return wanted <= capacity
                ? waitForRoom(refused, wanted, nowMicros)
                : refused.earliestExpiryMicros() - nowMicros;
    }
}
