package dev.penstock.bench.soak.hostile;

/** Traffic that no honest client sends, bounded in rate. Thread-safe. */
interface Attack {
    String name();

    /** Begins, on a thread of its own. Called once. */
    void start();

    /** Ends the attack, closes its connections and waits until its thread has ended. */
    void stop();

    AttackCounts counts();
}
