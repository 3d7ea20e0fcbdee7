package dev.penstock.server;

/** The format of log lines. */
public enum LogFormat {
    /** Text for people. */
    PLAIN,
    /** One JSON object per line. */
    JSON
}
