package dev.penstock.bench.soak.hostile;

/** Traffic that no honest client sends, bounded in rate. Thread-safe. */
interface Attack {
    String name();

    /** Starts the attack on its own thread. Called once. */
    void start();

    /** Stops the attack, closes its connections and waits until its thread has ended. */
    void stop();

    AttackCounts counts();
}
