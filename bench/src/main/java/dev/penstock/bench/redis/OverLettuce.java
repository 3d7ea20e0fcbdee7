package dev.penstock.bench.redis;

/** A contender that sends its own commands through one connection of Lettuce, which it closes. */
abstract class OverLettuce implements Decider {
    protected final Lettuce lettuce;

    OverLettuce(Lettuce lettuce) {
        this.lettuce = lettuce;
    }

    @Override
    public final void flush() {
        lettuce.flush();
    }

    @Override
    public final void close() {
        lettuce.close();
    }
}
