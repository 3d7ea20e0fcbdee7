package dev.penstock.server.internal.envoy;

import dev.penstock.Denied;

/** Thrown for a request that this node cannot decide because it is overloaded. Nothing was charged. */
final class OverloadedNode extends RuntimeException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // never serialized
    private final Denied denied;

    OverloadedNode(Denied denied) {
        super("overloaded: this node has more requests than it can handle", null, false, false);
        this.denied = denied;
    }

    Denied denied() {
        return denied;
    }
}
