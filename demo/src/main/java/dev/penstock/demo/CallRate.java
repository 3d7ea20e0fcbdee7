package dev.penstock.demo;

/** The request rate of a client at a time of the simulation. */
@FunctionalInterface
interface CallRate {
    /** The length of a simulated day. */
    long DAY_SECONDS = 120;

    double perSecond(long second);

    /**
     * A rate that is higher by day than by night.
     *
     * @param swing the amplitude, as a share of the mean
     * @param noonSecond the time of the highest rate
     */
    static CallRate daily(double mean, double swing, long noonSecond) {
        return second -> mean * (1 + swing * Math.cos(2 * Math.PI * (second - noonSecond) / DAY_SECONDS));
    }

    static CallRate steady(double perSecond) {
        return second -> perSecond;
    }

    /** A rate that applies only during an incident. */
    static CallRate during(Incident act, double perSecond) {
        return second -> act.isOn(second) ? perSecond : 0;
    }
}
