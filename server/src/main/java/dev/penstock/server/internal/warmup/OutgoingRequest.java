package dev.penstock.server.internal.warmup;

import java.util.Map;

/**
 * A request to send.
 *
 * @param headers the header fields, with names in lower case
 * @param body the body, not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OutgoingRequest(String method, String path, Map<String, String> headers, byte[] body) {}
