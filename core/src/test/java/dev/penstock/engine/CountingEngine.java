package dev.penstock.engine;

import dev.penstock.Decision;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import java.util.ArrayList;
import java.util.List;

/** Forwards all calls and records the asks. Each ask is a round trip. */
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
