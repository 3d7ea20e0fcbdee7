package dev.penstock.bench.soak.hostile;

/**
 * A service under attack, on the loopback address.
 *
 * @param port the main port
 */
record Target(int port, int adminPort) {}
