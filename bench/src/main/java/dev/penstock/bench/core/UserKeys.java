package dev.penstock.bench.core;

import dev.penstock.bench.load.KeyText;
import java.util.function.Consumer;

/** The keys of a million users. */
final class UserKeys {
    static final int COUNT = 1_000_000;

    private UserKeys() {}

    static KeyText text() {
        return new KeyText("user-", 7);
    }

    static void forEach(Consumer<String> each) {
        KeyText text = text();
        for (int i = 0; i < COUNT; i++) {
            each.accept(text.of(i));
        }
    }
}
