package dev.penstock.algorithm;

/**
 * A leaky bucket has the state of a token bucket, read as a queue: the backlog is how long the next request waits for
 * its turn.
 *
 * <p>A turn is assigned when the request is decided. A reserved cost is therefore charged at once, and a hold weighs
 * nothing. Settling at less gives the difference back only if nobody has queued up behind the request.
 */
final class LeakyBucketRule extends BucketRule {
    private LeakyBucketRule(Numbers numbers) {
        super(numbers, "leaky");
    }

    static LeakyBucketRule of(LeakyBucket bucket, long maxDebt) {
        return new LeakyBucketRule(
                Numbers.of(bucket.word(), bucket.permits(), bucket.period(), bucket.queue(), maxDebt));
    }

    @Override
    String kind() {
        return "leaky_bucket";
    }

    @Override
    BucketRule with(Numbers other) {
        return new LeakyBucketRule(other);
    }

    @Override
    public long delayMicros(State state, long ahead, long nowMicros) {
        return waitForTurn(state, ahead, nowMicros);
    }

    @Override
    long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros) {
        long forDelay = Math.max(0, delayMicros(refused, refused.ahead, nowMicros) - maxDelayMicros);
        return Math.max(waitForRoom(refused, refused.cost, nowMicros), forDelay);
    }

    @Override
    public void hold(State state, HeldCharge charge, long nowMicros) {
        charge(state, charge.amount, nowMicros);
        charge.weight = 0;
        charge.fullAtTicks = fullAtTicks(state);
        charge.rest = rest(state);
        super.hold(state, charge, nowMicros);
    }

    @Override
    public boolean spendsWhatIsHeld() {
        return true;
    }

    @Override
    public long settle(State state, HeldCharge charge, long actual, long nowMicros) {
        boolean nobodyBehind = fullAtTicks(state) == charge.fullAtTicks && rest(state) == charge.rest;
        long more = super.settle(state, charge, Math.max(0, actual - charge.amount), nowMicros);
        if (actual < charge.amount && nobodyBehind) {
            long back = (charge.amount - actual) * p;
            long rest = rest(state) - back % n;
            long fullAtTicks = fullAtTicks(state) - back / n;
            setFullAt(state, rest < 0 ? fullAtTicks - 1 : fullAtTicks, rest < 0 ? rest + n : rest);
            return actual;
        }
        return charge.amount + more;
    }
}
