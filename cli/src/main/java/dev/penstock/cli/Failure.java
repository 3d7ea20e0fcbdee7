package dev.penstock.cli;

/** A command that could not be carried out, for a reason that lies in the machine and not in the command line. */
final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    Failure(String message) {
        super(message, null, false, false);
    }
}
