/** The library in one module: core, the policy language and Redis. It has no code of its own. */
module dev.penstock {
    requires transitive dev.penstock.core;
    requires transitive dev.penstock.policy;
    requires transitive dev.penstock.redis;
}
