package dev.penstock.redis;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.InterceptingEngine;

/** Puts all charges into one slot, like a policy that colocates by an attribute. */
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
