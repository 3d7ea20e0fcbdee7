package dev.penstock.engine;

import dev.penstock.Decision;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import java.util.ArrayList;
import java.util.List;

/** Passes everything on and notes what was asked: each is a trip. */
class CountingEngine extends ForwardingEngine {
    final List<Ask> asked = new ArrayList<>();

    CountingEngine(Engine inner) {
        super(inner);
    }

    int trips() {
        return asked.size();
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        asked.add(ask);
        return super.decide(ask);
    }
}
