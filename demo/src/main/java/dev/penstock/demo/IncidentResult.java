package dev.penstock.demo;

import dev.penstock.demo.Summary.Counts;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes how an incident went, when it ends. Not thread-safe. */
final class IncidentResult {
    private static final Pattern CANDIDATE = Pattern.compile(
            "\"policy\":\"([^\"]+)\",\"candidate_of\":\"([^\"]+)\",\"compared\":([0-9]+),\"same\":[0-9]+,"
                    + "\"stricter\":([0-9]+),\"looser\":([0-9]+)");

    private final Summary summary;
    private final Map<Incident, Counts> attackersBefore = new EnumMap<>(Incident.class);
    private final Map<Incident, Counts> honestBefore = new EnumMap<>(Incident.class);

    IncidentResult(Summary summary) {
        this.summary = summary;
    }

    void began(Incident attack) {
        attackersBefore.put(attack, summary.counts(SimulatedClients.ATTACKERS));
        honestBefore.put(attack, summary.counts(SimulatedClients.HONEST));
    }

    /** Returns the result of a login attack, or null if it did not begin here. */
    @Nullable
    String ended(Incident attack) {
        Counts attackers = attackersBefore.remove(attack);
        Counts honest = honestBefore.remove(attack);
        if (attackers == null || honest == null) {
            return null;
        }
        Counts attempts = summary.counts(SimulatedClients.ATTACKERS).minus(attackers);
        Counts logins = summary.counts(SimulatedClients.HONEST).minus(honest);
        return "login attack over: " + attempts.challenged() + " of " + attempts.requests()
                + " attempts got a challenge; " + logins.allowed() + " of " + logins.requests()
                + " honest logins were allowed";
    }

    /**
     * Returns how the candidate differs, or null if nothing was compared.
     *
     * @param json the answer of {@code GET /admin/candidates}
     */
    static @Nullable String candidate(String json) {
        Matcher found = CANDIDATE.matcher(json);
        if (!found.find() || found.group(3).equals("0")) {
            return null;
        }
        return "candidate " + found.group(1) + ": of " + found.group(3) + " requests, it would deny " + found.group(4)
                + " that " + found.group(2) + " allows, and allow " + found.group(5) + " that " + found.group(2)
                + " denies";
    }
}
