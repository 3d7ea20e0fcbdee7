package dev.penstock.redis;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.InterceptingEngine;

/** Puts all charges into one slot, as a policy does that names an attribute to colocate by. */
final class Colocating extends InterceptingEngine {
    private final String value;

    Colocating(Engine inner, String value) {
        super(inner);
        this.value = value;
    }

    @Override
    protected Ask passedOn(Ask ask) {
        return ask.withCharges(
                ask.charges().stream().map(charge -> charge.colocation(value)).toList());
    }
}
