package dev.penstock.redis;

/** Input that a script needs before it can decide. The script has changed nothing. */
sealed interface MissingInput {
    /**
     * The numbers that rule ids represent.
     *
     * @param ids the charges or parts, counted from 1, with the ids in their states: {@code 1:1234 3:5064}
     */
    record RuleNumbers(String ids) implements MissingInput {}

    /**
     * The windows of a calendar.
     *
     * @param reachMicros the time that the windows must reach
     */
    record Boundaries(long reachMicros) implements MissingInput {}
}
