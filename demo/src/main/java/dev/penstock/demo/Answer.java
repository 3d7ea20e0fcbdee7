package dev.penstock.demo;

/** The part of a decision that a client uses. */
enum Answer {
    ALLOWED,
    DENIED,
    /** Denied, and the caller should show a challenge, such as a captcha. */
    CHALLENGED;

    /** @param json the answer of the service to one request */
    static Answer of(String json) {
        if (json.contains("\"allowed\":true")) {
            return ALLOWED;
        }
        return json.contains("\"action\":\"challenge\"") ? CHALLENGED : DENIED;
    }
}
