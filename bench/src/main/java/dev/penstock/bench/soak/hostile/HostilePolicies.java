package dev.penstock.bench.soak.hostile;

/**
 * The policies of a hostile soak, by the attribute {@code kind}. Honest clients and attackers share nodes but no keys.
 */
final class HostilePolicies {
    static final String CHECK = "check";
    static final String WINDOW = "window";
    static final String JOB = "job";
    static final String HOT = "hot";
    static final String MONTH = "month";
    static final String HOLD = "hold";
    static final String DENIED = "denied";
    static final String LIST = "list";
    static final String EXPIRING = "expiring";
    static final String REPLICATED = "replicated";
    static final String ADDRESS = "address";

    /** The route of honest requests at the gate. */
    static final String GATE_ROUTE = "/honest/reports";

    /** The limits of honest clients are far above their traffic, so every denial of theirs is wrong. */
    static final String TEXT = """
            version: 1
            policies:
              - { name: users, match: { kind: check }, limits: [ { key: [user], token_bucket: 600/min } ] }
              - { name: windows, match: { kind: window }, limits: [ { key: [user], sliding_window: 600/min } ] }
              - name: jobs
                match: { kind: job }
                limits: [ { key: [user], token_bucket: 600/min }, { key: [user], concurrency: 50, ttl: 1m } ]
              - { name: gate, match: { route: /honest/** }, limits: [ { key: [ip], fixed_window: 10000000/min } ] }
              - { name: hot, match: { kind: hot }, limits: [ { key: [user], fixed_window: 10/min } ] }
              - { name: month, match: { kind: month }, limits: [ { key: [user], fixed_window: 100 per calendar month } ] }
              - { name: holds, match: { kind: hold }, limits: [ { key: [user], token_bucket: 1000000/h } ] }
              - { name: denied, match: { kind: denied }, limits: [ { key: [user], fixed_window: 1/d } ] }
              - { name: lists, match: { kind: list }, limits: [ { key: [user], token_bucket: 1000000/h } ] }
              - { name: expiring, match: { kind: expiring }, limits: [ { key: [user], token_bucket: 1000000/h } ] }
              - { name: replicated, match: { kind: replicated }, replicas: 1, limits: [ { key: [user], token_bucket: 1000000/h } ] }
              - { name: addresses, match: { kind: address }, limits: [ { key: [ip], fixed_window: 1000000/h } ] }
            """;

    private HostilePolicies() {}
}
