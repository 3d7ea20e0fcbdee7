package dev.penstock.policy.internal.select;

import dev.penstock.policy.internal.match.Match;

/** An entry of an allow or deny list. */
public record ListEntry(String name, Match match) {}
