package dev.penstock.server.internal.warmup;

import java.util.Map;

/**
 * A request that a client sends.
 *
 * @param headers names in lower case
 * @param body not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OutgoingRequest(String method, String path, Map<String, String> headers, byte[] body) {}
