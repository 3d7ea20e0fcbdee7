package dev.penstock.demo;

/** A recurring event of the simulation. Each one first occurs within the first minute. */
enum Incident {
    SCANNER("scanner: 192.0.2.7, in a network on the deny list, probes for weaknesses", 5, 30, 5),
    NOISY_NEIGHBOUR("noisy neighbor: globex sends 10 times its limit", 12, 40, 10),
    EXPORT_RUSH("export rush: umbrella starts more concurrent exports than its two slots", 24, 50, 8),
    MANY_ACCOUNTS("login attack: 198.51.100.66 tries leaked passwords on many accounts", 28, 60, 8),
    STORE_AWAY("store: Redis does not answer", 38, 45, 10),
    ONE_ACCOUNT("login attack: two hundred addresses try passwords for one account, alice", 50, 60, 8);

    private final String text;
    private final long firstSecond;
    private final long everySeconds;
    private final long lastsSeconds;

    /**
     * Creates an incident.
     *
     * @param lastsSeconds less than {@code everySeconds}
     */
    Incident(String text, long firstSecond, long everySeconds, long lastsSeconds) {
        this.text = text;
        this.firstSecond = firstSecond;
        this.everySeconds = everySeconds;
        this.lastsSeconds = lastsSeconds;
    }

    /** Returns the message for its start. */
    String text() {
        return text;
    }

    boolean isLoginAttack() {
        return this == MANY_ACCOUNTS || this == ONE_ACCOUNT;
    }

    boolean isOn(long second) {
        return second >= firstSecond && (second - firstSecond) % everySeconds < lastsSeconds;
    }

    long begins(long round) {
        return firstSecond + round * everySeconds;
    }

    long ends(long round) {
        return begins(round) + lastsSeconds;
    }

    /** Returns the number of the last occurrence that has begun by then, counted from 0; -1 before the first. */
    long round(long second) {
        return second < firstSecond ? -1 : (second - firstSecond) / everySeconds;
    }
}
