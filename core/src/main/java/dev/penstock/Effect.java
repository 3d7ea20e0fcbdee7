package dev.penstock;

/** What exceeding a limit does. */
public enum Effect {
    /** The request is denied. */
    DENY,
    /** Nothing but a note in the decision: a shadow. Counted only when the request is otherwise allowed and it fits. */
    OBSERVE
}
