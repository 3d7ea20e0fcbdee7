package dev.penstock.server;

import dev.penstock.Clock;
import dev.penstock.spi.Board;
import dev.penstock.testkit.BoardContract;

class LocalBoardTest extends BoardContract {
    private final Board board = new LocalBoard(Clock.system());

    @Override
    protected Board board() {
        return board;
    }

    @Override
    protected Board ofAnotherNode() {
        return board;
    }
}
