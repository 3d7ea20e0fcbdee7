package dev.penstock.server;

import com.linecorp.armeria.common.HttpMethod;
import dev.penstock.Clock;
import dev.penstock.Limiter;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRulesWatch;
import dev.penstock.server.internal.admin.AuditLog;
import dev.penstock.server.internal.admin.AuditService;
import dev.penstock.server.internal.admin.CandidatesService;
import dev.penstock.server.internal.admin.Changes;
import dev.penstock.server.internal.admin.ExplainService;
import dev.penstock.server.internal.admin.HistoryService;
import dev.penstock.server.internal.admin.KeysService;
import dev.penstock.server.internal.admin.LogWatchService;
import dev.penstock.server.internal.admin.MissingAttributesService;
import dev.penstock.server.internal.admin.OverridesService;
import dev.penstock.server.internal.admin.PoliciesService;
import dev.penstock.server.internal.admin.PolicyTextService;
import dev.penstock.server.internal.admin.StatusService;
import dev.penstock.server.internal.admin.TailService;
import dev.penstock.server.internal.admin.TopKeysService;
import dev.penstock.server.internal.net.PortRoutes;
import dev.penstock.server.internal.override.OperatorOverrides;
import org.jspecify.annotations.Nullable;

/** Registers every call under {@code /admin}, each with the role that it requires. */
final class AdminApi implements AutoCloseable {
    private final AuditLog audit;
    private final PoliciesService policies;
    private final PolicyTextService texts;
    private final ExplainService explain;
    private final KeysService keys;
    private final OverridesService overrides;
    private final TopKeysService topKeys;
    private final HistoryService history;
    private final CandidatesService candidates;
    private final MissingAttributesService missing;
    private final LogWatchService watching;
    private final TailService decisions;
    private final StatusService status;

    /** @param rules the rules for Envoy; null if the policies decide Envoy's requests */
    AdminApi(
            AdminSettings settings,
            Limiter limiter,
            PolicyWatch policies,
            @Nullable EnvoyRulesWatch rules,
            OperatorOverrides overrides,
            TopKeysService topKeys,
            HistoryService history,
            CandidatesService candidates,
            MissingAttributesService missing,
            Observability observing,
            StatusService status) {
        Clock clock = Clock.system();
        this.audit = new AuditLog(settings.audit(), clock);
        Changes changes = new Changes(audit);
        this.policies = new PoliciesService(policies, rules, changes);
        this.status = status;
        this.texts = new PolicyTextService(policies);
        this.explain = new ExplainService(policies, overrides, clock);
        this.keys = new KeysService(limiter, policies, rules, overrides, changes);
        this.overrides = new OverridesService(overrides, policies, rules, changes);
        this.topKeys = topKeys;
        this.history = history;
        this.candidates = candidates;
        this.missing = missing;
        this.watching = new LogWatchService(observing.log(), policies, clock, changes);
        this.decisions = new TailService(observing.tail());
    }

    void route(PortRoutes routes, AdminTokens tokens) {
        routes.add(HttpMethod.GET, "/admin/status", tokens.reading(status.status()));
        routes.add(HttpMethod.GET, "/admin/nodes", tokens.reading(status.nodes()));
        routes.add(HttpMethod.GET, "/admin/history", tokens.reading(history));
        routes.add(HttpMethod.GET, "/admin/candidates", tokens.reading(candidates));
        routes.add(HttpMethod.GET, "/admin/missing", tokens.reading(missing));
        routes.add(HttpMethod.GET, "/admin/decisions", tokens.reading(decisions));
        routes.add(HttpMethod.GET, "/admin/policies", tokens.reading(policies.state()));
        routes.add(HttpMethod.POST, "/admin/policies/reload", tokens.changing(policies.reload()));
        routes.add(HttpMethod.GET, "/admin/policies/source", tokens.reading(texts.source()));
        routes.add(HttpMethod.POST, "/admin/policies/check", tokens.reading(texts.check()));
        routes.add(HttpMethod.POST, "/admin/explain", tokens.reading(explain));
        routes.add(HttpMethod.POST, "/admin/keys/show", tokens.reading(keys.show()));
        routes.add(HttpMethod.POST, "/admin/keys/reset", tokens.changing(keys.reset()));
        routes.add(HttpMethod.POST, "/admin/policies/{name}/reset", tokens.changing(keys.resetPolicy()));
        routes.add(HttpMethod.GET, "/admin/log/watch", tokens.reading(watching.show()));
        routes.add(HttpMethod.POST, "/admin/log/watch", tokens.changing(watching.change()));
        routes.add(HttpMethod.GET, "/admin/keys/top", tokens.reading(topKeys));
        routes.add(HttpMethod.GET, "/admin/keys/blocked", tokens.reading(overrides.blocked()));
        routes.add(HttpMethod.POST, "/admin/keys/block", tokens.changing(overrides.block()));
        routes.add(HttpMethod.POST, "/admin/keys/unblock", tokens.changing(overrides.unblock()));
        routes.add(HttpMethod.GET, "/admin/shadow", tokens.reading(overrides.showShadow()));
        routes.add(HttpMethod.POST, "/admin/shadow", tokens.changing(overrides.changeShadow()));
        routes.add(HttpMethod.GET, "/admin/audit", tokens.reading(new AuditService(audit)));
    }

    /** Ends all open streams, so that the port can close. */
    void endStreams() {
        decisions.close();
    }

    @Override
    public void close() {
        audit.close();
    }
}
