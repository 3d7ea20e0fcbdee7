package dev.penstock.cache;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Limit;
import dev.penstock.Terms;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.InterceptingEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Marks the charges of some limits as to be decided in the process, and passes everything on. */
class PlacedEngine extends InterceptingEngine {
    private final Predicate<Limit> isLocal;

    PlacedEngine(Engine inner, Predicate<Limit> isLocal) {
        super(inner);
        this.isLocal = isLocal;
    }

    @Override
    protected Ask passedOn(Ask ask) {
        List<Charge> charges = new ArrayList<>();
        for (Charge charge : ask.charges()) {
            Terms.Place place = isLocal.test(charge.limit()) ? Terms.Place.PROCESS : Terms.Place.STORE;
            charges.add(Charge.of(charge.terms().place(place), charge.key(), charge.cost()));
        }
        return ask.about(charges);
    }
}
