package dev.penstock.server.internal.http;

import dev.penstock.Decision;
import java.util.List;

/** Which header lines tell a client of a decision. */
@FunctionalInterface
public interface HeaderFields {
    /** One header line. */
    record Field(String name, String value) {}

    List<Field> of(Decision decision);
}
