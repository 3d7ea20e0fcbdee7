package dev.penstock.demo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The start or end of an incident.
 *
 * @param second the time of the simulation
 * @param round how often the incident occurred before
 */
record IncidentChange(long second, Incident act, long round, boolean begins) {
    /** Returns the changes after one second and up to another, sorted by time. */
    static List<IncidentChange> between(Collection<Incident> acts, long after, long upTo) {
        List<IncidentChange> turns = new ArrayList<>();
        for (Incident act : acts) {
            for (long round = Math.max(0, act.round(after)); act.begins(round) <= upTo; round++) {
                turns.add(new IncidentChange(act.begins(round), act, round, true));
                turns.add(new IncidentChange(act.ends(round), act, round, false));
            }
        }
        turns.removeIf(turn -> turn.second <= after || turn.second > upTo);
        turns.sort(Comparator.comparingLong(IncidentChange::second));
        return turns;
    }
}
