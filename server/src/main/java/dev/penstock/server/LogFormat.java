package dev.penstock.server;

/** How lines of the log are written. */
public enum LogFormat {
    /** For people. */
    PLAIN,
    /** One JSON object a line. */
    JSON
}
