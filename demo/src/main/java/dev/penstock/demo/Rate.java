package dev.penstock.demo;

/** How many requests a second somebody sends at a moment of the world's time. */
@FunctionalInterface
interface Rate {
    /** How long a day lasts in the world. */
    long DAY_SECONDS = 120;

    double perSecond(long second);

    /**
     * More by day than by night.
     *
     * @param swing how much more and less, as a share of the mean
     * @param noonSecond when it is most
     */
    static Rate daily(double mean, double swing, long noonSecond) {
        return second -> mean * (1 + swing * Math.cos(2 * Math.PI * (second - noonSecond) / DAY_SECONDS));
    }

    static Rate steady(double perSecond) {
        return second -> perSecond;
    }

    /** Only while an act is on. */
    static Rate during(Act act, double perSecond) {
        return second -> act.isOn(second) ? perSecond : 0;
    }
}
