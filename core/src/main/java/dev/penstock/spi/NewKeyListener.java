package dev.penstock.spi;

/**
 * Watches the new keys that decisions make in a store, by policy. Only keys that are kept for more than a minute are reported.
 * Called on whichever thread noticed; implementations are quick and thread-safe.
 */
public interface NewKeyListener {
    /** Watches nothing. */
    NewKeyListener NONE = new NewKeyListener() {
        @Override
        public void onNewKey(String policy) {}

        @Override
        public void onDenied(String policy) {}

        @Override
        public void onSkipped(String policy) {}
    };

    /** A decision made a new key under the policy: an account, or a permit. */
    void onNewKey(String policy);

    /** A request was denied because it needed a new key and the policy's budget was used up. */
    void onDenied(String policy);

    /** A shadow charge was left uncounted for the same reason. The request itself went on. */
    void onSkipped(String policy);
}
