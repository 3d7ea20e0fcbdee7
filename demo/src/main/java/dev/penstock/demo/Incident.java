package dev.penstock.demo;

/** Something that happens in the world for some seconds, again and again. The first of each is within the first minute. */
enum Incident {
    SCANNER("scanner: 192.0.2.7, of a network on the deny list, looks for holes", 5, 30, 5),
    NOISY_NEIGHBOUR("noisy neighbour: globex asks 10 times its limit", 12, 40, 10),
    EXPORT_RUSH("export rush: umbrella wants more exports at the same time than its two slots", 24, 50, 8),
    MANY_ACCOUNTS("login attack: 198.51.100.66 tries leaked passwords on many accounts", 28, 60, 8),
    STORE_AWAY("store: Redis does not answer", 38, 45, 10),
    ONE_ACCOUNT("login attack: two hundred addresses try passwords of one account, alice", 50, 60, 8);

    private final String telling;
    private final long firstSecond;
    private final long everySeconds;
    private final long lastsSeconds;

    /** @param lastsSeconds less than {@code everySeconds} */
    Incident(String telling, long firstSecond, long everySeconds, long lastsSeconds) {
        this.telling = telling;
        this.firstSecond = firstSecond;
        this.everySeconds = everySeconds;
        this.lastsSeconds = lastsSeconds;
    }

    /** What is said when it begins. */
    String telling() {
        return telling;
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

    /** The last round that has begun by then, from 0; -1 before the first. */
    long round(long second) {
        return second < firstSecond ? -1 : (second - firstSecond) / everySeconds;
    }
}
