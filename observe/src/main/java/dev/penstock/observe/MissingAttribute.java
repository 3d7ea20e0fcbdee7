package dev.penstock.observe;

/**
 * How many requests lacked an attribute that a policy counts by, since the process started.
 *
 * @param requests requests of limits that count by the attribute
 * @param missing those of them that lacked it
 */
public record MissingAttribute(String policy, String attribute, long requests, long missing) {}
