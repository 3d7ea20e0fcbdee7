package dev.penstock.bench.core;

import dev.penstock.bench.load.BenchKeyText;
import java.util.function.Consumer;

/** The keys of a million users. */
final class UserKeys {
    static final int COUNT = 1_000_000;

    private UserKeys() {}

    static BenchKeyText text() {
        return new BenchKeyText("user-", 7);
    }

    static void forEach(Consumer<String> each) {
        BenchKeyText text = text();
        for (int i = 0; i < COUNT; i++) {
            each.accept(text.of(i));
        }
    }
}
