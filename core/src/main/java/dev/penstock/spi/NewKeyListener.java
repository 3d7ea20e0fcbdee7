package dev.penstock.spi;

/**
 * Receives reports of the new keys that decisions create in a store, by policy. Only keys that are kept for more than a
 * minute are reported. Implementations are thread-safe and return quickly. They may be called on any thread.
 */
public interface NewKeyListener {
    /** A listener that does nothing. */
    NewKeyListener NONE = new NewKeyListener() {
        @Override
        public void onNewKey(String policy) {}

        @Override
        public void onDenied(String policy) {}

        @Override
        public void onSkipped(String policy) {}
    };

    /** Called when a decision created a new key under the policy: an account or a permit. */
    void onNewKey(String policy);

    /** Called when a request was denied because it needed a new key and the policy's budget was used up. */
    void onDenied(String policy);

    /**
     * Called when a shadow charge was not counted because the policy's budget was used up. The request itself went on.
     */
    void onSkipped(String policy);
}
