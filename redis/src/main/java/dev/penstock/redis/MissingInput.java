package dev.penstock.redis;

/** What a script needs to be told before it can decide; it has changed nothing. */
sealed interface MissingInput {
    /**
     * The numbers that rule ids stand for.
     *
     * @param ids charges or parts, from 1, with the ids in their states: {@code 1:1234 3:5064}
     */
    record RuleNumbers(String ids) implements MissingInput {}

    /**
     * Windows of a calendar.
     *
     * @param reachMicros the time that they have to reach
     */
    record Boundaries(long reachMicros) implements MissingInput {}
}
