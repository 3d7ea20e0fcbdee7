package dev.penstock.cache;

import dev.penstock.Ask;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.spi.Done;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes everything on and notes what was asked: each is a trip. */
class CountingEngine implements Engine {
    final List<Ask> asked = new ArrayList<>();
    private final Engine inner;

    CountingEngine(Engine inner) {
        this.inner = inner;
    }

    int trips() {
        return asked.size();
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        asked.add(ask);
        return inner.decide(ask);
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
        return inner.reset(ask);
    }

    @Override
    public void close() {
        inner.close();
    }
}
