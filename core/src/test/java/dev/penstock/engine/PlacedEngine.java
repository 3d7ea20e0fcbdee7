package dev.penstock.engine;

import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.InterceptingEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Marks the charges of some limits as local, and forwards everything. */
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
            LimitSettings.Place place =
                    isLocal.test(charge.limit()) ? LimitSettings.Place.LOCAL : LimitSettings.Place.STORE;
            charges.add(Charge.of(charge.settings().place(place), charge.key(), charge.cost()));
        }
        return ask.withCharges(charges);
    }
}
