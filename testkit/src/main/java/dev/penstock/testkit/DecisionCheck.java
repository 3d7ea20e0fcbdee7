package dev.penstock.testkit;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.algorithm.Lockout;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PermitHandle;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Compares every part of an engine's decision with the reference, and collects the differences. */
final class DecisionCheck {
    private final Ask ask;
    private final Expected expected;
    private final Decision got;
    private final long now;
    private final List<String> differences = new ArrayList<>();

    private DecisionCheck(Ask ask, Expected expected, Decision got, long now) {
        this.ask = ask;
        this.expected = expected;
        this.got = got;
        this.now = now;
    }

    /** Returns the differences of the decision; empty if it is right. */
    static List<String> differences(Ask ask, Expected expected, Decision got, long now) {
        DecisionCheck check = new DecisionCheck(ask, expected, got, now);
        check.compare();
        return check.differences;
    }

    private void compare() {
        same("allowed", expected.allowed(), got.isAllowed());
        same("made at", moment(now), got.madeAt());
        same("number of limits", expected.charges().size(), got.limits().size());
        if (!differences.isEmpty()) {
            differences.add("all of it: " + got.limits() + " (expected: " + expected + ")");
            return;
        }
        for (int i = 0; i < ask.size(); i++) {
            compare(i, expected.charges().get(i), got.limits().get(i));
        }
        List<String> shadow = IntStream.range(0, ask.size())
                .filter(i -> expected.charges().get(i).exceeded() && !isEnforced(i))
                .mapToObj(i -> ask.charge(i).toString())
                .toList();
        same(
                "shadow denials",
                shadow,
                got.shadowDenials().stream()
                        .map(status -> status.charge().toString())
                        .toList());
        if (got instanceof Allowed allowed) {
            same("delay", micros(expected.delayMicros()), allowed.delay());
            compareGrant(allowed.permitHandle());
            compareNearest(allowed.binding());
        } else if (got instanceof Denied denied) {
            compareLatest(denied);
        }
    }

    private void compare(int i, Expected.OfCharge charge, LimitStatus status) {
        String which = "charge " + i + " ";
        same(which + "exceeded", charge.exceeded(), status.isExceeded());
        same(which + "cost", ask.charge(i).cost(), status.cost());
        same(which + "remaining", charge.remaining(), status.remaining());
        same(which + "reset", micros(charge.resetMicros()), status.resetAfter());
        same(which + "retry", retry(charge.retry()), status.retry());
    }

    private void compareGrant(@Nullable PermitHandle grant) {
        Expected.Permit permit = expected.permit();
        same("permit given", permit != null, grant != null);
        if (permit != null && grant != null) {
            same("permit expires", moment(permit.expiresAtMicros()), grant.expiresAt());
        }
    }

    /** Checks that the binding limit of an allowed ask has the smallest share left. */
    private void compareNearest(@Nullable LimitStatus binding) {
        for (int i = 0; i < ask.size(); i++) {
            if (!isEnforced(i)) {
                continue;
            }
            long remaining = expected.charges().get(i).remaining();
            if (binding == null || isLess(remaining, ask.charge(i).limit().capacity(), binding)) {
                differences.add("binding: " + binding + " (expected: charge " + i + " or one with the same share)");
            }
        }
        same("binding is enforced", true, binding == null || binding.isEnforced());
    }

    private static boolean isLess(long remaining, long capacity, LimitStatus than) {
        BigInteger mine = BigInteger.valueOf(remaining).multiply(BigInteger.valueOf(than.capacity()));
        BigInteger theirs = BigInteger.valueOf(than.remaining()).multiply(BigInteger.valueOf(capacity));
        return mine.compareTo(theirs) < 0;
    }

    /**
     * Checks that a denial says to retry when the last of the limits that denied fits. If two fit at the same time, the
     * more certain retry is used.
     */
    private void compareLatest(Denied denied) {
        LimitStatus binding = denied.binding();
        boolean blocked = binding != null
                && binding.limit().algorithm() instanceof Lockout
                && denied.retry() instanceof Retry.NotBefore;
        same("reason", blocked ? Denied.Reason.BLOCKED : Denied.Reason.LIMIT_EXCEEDED, denied.reason());
        Expected.Wait latest = null;
        for (int i = 0; i < ask.size(); i++) {
            Expected.Wait retry = expected.charges().get(i).retry();
            if (isEnforced(i) && retry != null && (latest == null || isLater(retry, latest))) {
                latest = retry;
            }
        }
        same("retry", retry(latest), denied.retry());
        same("retry of the binding limit", retry(latest), binding == null ? null : binding.retry());
        same("binding is enforced", true, binding != null && binding.isEnforced());
    }

    private static boolean isLater(Expected.Wait one, Expected.Wait other) {
        if (one.kind() == Expected.Kind.NEVER || other.kind() == Expected.Kind.NEVER) {
            return one.kind() == Expected.Kind.NEVER;
        }
        return one.micros() > other.micros()
                || (one.micros() == other.micros() && one.kind() == Expected.Kind.NOT_BEFORE);
    }

    private @Nullable Retry retry(Expected.@Nullable Wait wait) {
        if (wait == null) {
            return null;
        }
        Instant time = moment(now + wait.micros());
        Duration after = micros(wait.micros());
        return switch (wait.kind()) {
            case NEVER -> new Retry.Never();
            case NOT_BEFORE -> new Retry.NotBefore(time, after);
            case ESTIMATE -> new Retry.Estimate(time, after);
        };
    }

    private boolean isEnforced(int i) {
        return ask.charge(i).isEnforced();
    }

    private void same(String what, @Nullable Object wanted, @Nullable Object found) {
        if (!Objects.equals(wanted, found)) {
            differences.add(what + ": " + found + " (expected: " + wanted + ")");
        }
    }

    private static Instant moment(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
