package dev.penstock.demo;

/** How many requests a second somebody sends at a moment of the world's time. */
@FunctionalInterface
interface CallRate {
    /** How long a day lasts in the world. */
    long DAY_SECONDS = 120;

    double perSecond(long second);

    /**
     * More by day than by night.
     *
     * @param swing how much more and less, as a share of the mean
     * @param noonSecond when it is most
     */
    static CallRate daily(double mean, double swing, long noonSecond) {
        return second -> mean * (1 + swing * Math.cos(2 * Math.PI * (second - noonSecond) / DAY_SECONDS));
    }

    static CallRate steady(double perSecond) {
        return second -> perSecond;
    }

    /** Only while an act is on. */
    static CallRate during(Incident act, double perSecond) {
        return second -> act.isOn(second) ? perSecond : 0;
    }
}
