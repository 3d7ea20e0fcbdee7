package dev.penstock.server;

import dev.penstock.Clock;
import dev.penstock.spi.SharedNotes;
import dev.penstock.testkit.SharedNotesContract;

class LocalNotesTest extends SharedNotesContract {
    private final SharedNotes board = new LocalNotes(Clock.system());

    @Override
    protected SharedNotes board() {
        return board;
    }

    @Override
    protected SharedNotes ofAnotherNode() {
        return board;
    }
}
