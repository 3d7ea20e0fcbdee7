package dev.penstock.policy.internal.yaml;

import org.snakeyaml.engine.v2.exceptions.Mark;

/** A position in a file. Lines and columns are counted from 1. */
public record Position(int line, int column) {
    static final Position START = new Position(1, 1);

    static Position of(Mark mark) {
        return new Position(mark.getLine() + 1, mark.getColumn() + 1);
    }
}
