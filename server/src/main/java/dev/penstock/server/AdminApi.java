package dev.penstock.server;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.ServerBuilder;
import dev.penstock.Clock;
import dev.penstock.Limiter;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRulesWatch;
import dev.penstock.server.internal.admin.AuditLog;
import dev.penstock.server.internal.admin.AuditService;
import dev.penstock.server.internal.admin.Changes;
import dev.penstock.server.internal.admin.ExplainService;
import dev.penstock.server.internal.admin.HistoryService;
import dev.penstock.server.internal.admin.KeysService;
import dev.penstock.server.internal.admin.LogWatchService;
import dev.penstock.server.internal.admin.PoliciesService;
import dev.penstock.server.internal.admin.PolicyTextService;
import dev.penstock.server.internal.admin.StatusService;
import dev.penstock.server.internal.admin.SteeringService;
import dev.penstock.server.internal.admin.TailService;
import dev.penstock.server.internal.admin.TalkersService;
import dev.penstock.server.internal.steer.Steering;
import org.jspecify.annotations.Nullable;

/** What is under {@code /admin}: each call with the role that it needs. */
final class AdminApi implements AutoCloseable {
    private final AuditLog audit;
    private final PoliciesService policies;
    private final PolicyTextService texts;
    private final ExplainService explain;
    private final KeysService keys;
    private final SteeringService steering;
    private final TalkersService talkers;
    private final HistoryService history;
    private final LogWatchService watching;
    private final TailService decisions;
    private final StatusService status;

    /** @param rules for Envoy; null where the policies decide what it asks */
    AdminApi(
            AdminSettings settings,
            Limiter limiter,
            PolicyWatch policies,
            @Nullable EnvoyRulesWatch rules,
            Steering steering,
            TalkersService talkers,
            HistoryService history,
            Observing observing,
            StatusService status) {
        Clock clock = Clock.system();
        this.audit = new AuditLog(settings.audit(), clock);
        Changes changes = new Changes(audit);
        this.policies = new PoliciesService(policies, rules, changes);
        this.status = status;
        this.texts = new PolicyTextService(policies);
        this.explain = new ExplainService(policies, clock);
        this.keys = new KeysService(limiter, policies, steering, changes);
        this.steering = new SteeringService(steering, policies, changes);
        this.talkers = talkers;
        this.history = history;
        this.watching = new LogWatchService(observing.log(), clock, changes);
        this.decisions = new TailService(observing.tail());
    }

    void route(ServerBuilder builder, AdminTokens tokens) {
        add(builder, HttpMethod.GET, "/admin/status", tokens.reading(status.status()));
        add(builder, HttpMethod.GET, "/admin/nodes", tokens.reading(status.nodes()));
        add(builder, HttpMethod.GET, "/admin/history", tokens.reading(history));
        add(builder, HttpMethod.GET, "/admin/decisions", tokens.reading(decisions));
        add(builder, HttpMethod.GET, "/admin/policies", tokens.reading(policies.state()));
        add(builder, HttpMethod.POST, "/admin/policies/reload", tokens.changing(policies.reload()));
        add(builder, HttpMethod.GET, "/admin/policies/source", tokens.reading(texts.source()));
        add(builder, HttpMethod.POST, "/admin/policies/check", tokens.reading(texts.check()));
        add(builder, HttpMethod.POST, "/admin/explain", tokens.reading(explain));
        add(builder, HttpMethod.POST, "/admin/keys/show", tokens.reading(keys.show()));
        add(builder, HttpMethod.POST, "/admin/keys/reset", tokens.changing(keys.reset()));
        add(builder, HttpMethod.POST, "/admin/policies/{name}/reset", tokens.changing(keys.resetPolicy()));
        add(builder, HttpMethod.GET, "/admin/log/watch", tokens.reading(watching.show()));
        add(builder, HttpMethod.POST, "/admin/log/watch", tokens.changing(watching.change()));
        add(builder, HttpMethod.GET, "/admin/keys/top", tokens.reading(talkers));
        add(builder, HttpMethod.GET, "/admin/keys/blocked", tokens.reading(steering.blocked()));
        add(builder, HttpMethod.POST, "/admin/keys/block", tokens.changing(steering.block()));
        add(builder, HttpMethod.POST, "/admin/keys/unblock", tokens.changing(steering.unblock()));
        add(builder, HttpMethod.GET, "/admin/shadow", tokens.reading(steering.showShadow()));
        add(builder, HttpMethod.POST, "/admin/shadow", tokens.changing(steering.changeShadow()));
        add(builder, HttpMethod.GET, "/admin/audit", tokens.reading(new AuditService(audit)));
    }

    private static void add(ServerBuilder builder, HttpMethod method, String path, HttpService service) {
        builder.service(Route.builder().methods(method).path(path).build(), service);
    }

    /** Ends what would go on for ever, so that a port can be closed. */
    void endStreams() {
        decisions.close();
    }

    @Override
    public void close() {
        audit.close();
    }
}
