package dev.penstock.cache;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.Terms;
import dev.penstock.spi.Done;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Marks the charges of some limits as to be decided in the process, and passes everything on. */
class PlacedEngine implements Engine {
    private final Engine inner;
    private final Predicate<Limit> isLocal;

    PlacedEngine(Engine inner, Predicate<Limit> isLocal) {
        this.inner = inner;
        this.isLocal = isLocal;
    }

    private Ask placed(Ask ask) {
        List<Charge> charges = new ArrayList<>();
        for (Charge charge : ask.charges()) {
            Terms.Place place = isLocal.test(charge.limit()) ? Terms.Place.PROCESS : Terms.Place.STORE;
            charges.add(Charge.of(charge.terms().place(place), charge.key(), charge.cost()));
        }
        Ask placed = Ask.of(charges);
        if (ask.maxDelayMicros() != Long.MAX_VALUE) {
            placed = placed.maxDelay(Duration.of(ask.maxDelayMicros(), ChronoUnit.MICROS));
        }
        if (ask.purpose() == Ask.Purpose.PEEK) {
            return placed.peek();
        }
        placed = ask.hold() == null ? placed : placed.hold(ask.hold());
        return ask.id() == null ? placed : placed.id(ask.id());
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        return inner.decide(placed(ask));
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return inner.settle(permitId, actual);
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return inner.renew(permitId);
    }

    @Override
    public Reply<Done> reset(Ask ask) {
        return inner.reset(placed(ask));
    }

    @Override
    public void close() {
        inner.close();
    }
}
