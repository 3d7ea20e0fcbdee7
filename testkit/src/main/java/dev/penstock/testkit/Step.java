package dev.penstock.testkit;

import dev.penstock.Costs;
import dev.penstock.Hold;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One step of a trace. {@link Object#toString} describes it completely. A permit is identified by the number of the
 * step that issued it.
 */
sealed interface Step {
    /** Sets the clock to a time. */
    record Turn(long micros) implements Step {
        @Override
        public String toString() {
            return "set the clock to " + moment(micros);
        }
    }

    /** Decides an ask, or peeks. */
    record Decide(Ask ask) implements Step {
        @Override
        public String toString() {
            Hold hold = ask.hold();
            String held = hold == null ? "" : " held for " + hold.ttl() + " then " + hold.onExpiry();
            String delay =
                    ask.maxDelayMicros() == Long.MAX_VALUE ? "" : " delayed at most " + ask.maxDelayMicros() + " us";
            String owner = ask.fingerprint() == null ? "" : " (" + ask.fingerprint() + ")";
            String id = ask.id() == null ? "" : " as " + ask.id() + owner;
            return ask.purpose() + id + held + delay + described(ask);
        }
    }

    /** Settles a permit; null charges everything as reserved. */
    record Settle(int issuedAt, @Nullable Costs actual) implements Step {
        @Override
        public String toString() {
            return "settle the permit of step " + issuedAt + " at " + (actual == null ? "what was reserved" : actual);
        }
    }

    /** Renews a permit. */
    record Renew(int issuedAt) implements Step {
        @Override
        public String toString() {
            return "renew the permit of step " + issuedAt;
        }
    }

    /** Resets the accounts that an ask names. */
    record Reset(Ask ask) implements Step {
        @Override
        public String toString() {
            return "reset" + described(ask);
        }
    }

    static String moment(long micros) {
        return micros + " (" + Instant.EPOCH.plus(micros, ChronoUnit.MICROS) + ")";
    }

    private static String described(Ask ask) {
        List<Charge> charges = ask.charges();
        return charges.stream().map(Step::described).collect(Collectors.joining("\n        ", "\n        ", ""));
    }

    private static String described(Charge charge) {
        return charge.settings().enforcement() + " cost " + charge.cost() + " of "
                + charge.limit().algorithm() + " in " + charge.limit().unit() + " maxDebt "
                + charge.limit().maxDebt() + " tick " + charge.limit().tick() + " key "
                + charge.key().counter() + charge.key().values();
    }
}
