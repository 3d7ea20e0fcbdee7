package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limiter;
import dev.penstock.Request;
import dev.penstock.server.GateSettings;
import dev.penstock.server.internal.address.ClientAddress;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.HeaderField;
import dev.penstock.server.internal.fields.Problem;
import dev.penstock.server.internal.fields.ProblemType;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code /v1/gate}: answers gateways that ask before they forward a request, with a status and headers. */
public final class GateService implements AggregatedService {
    /** The header of a denial with the action of the policy that denied. An overloaded node does not send it. */
    static final String ACTION = "Penstock-Action";

    /**
     * The header of a denial with the status that says why, for gateways that support only one status of a denial. An
     * overloaded node does not send it.
     */
    static final String STATUS = "Penstock-Status";

    /**
     * Maximum number of answers that wait for their turn in a leaky bucket. Above it, requests that would have to wait
     * are denied.
     */
    private static final int MOST_DELAYED = 10_000;

    private final Limiter limiter;
    private final DecisionFields fields;
    private final ForwardedRequest forwarded;
    private final GateSettings.DeniedStatus deniedStatus;
    private final Duration longestDelay;
    private final Scheduler scheduler;
    private final int mostDelayed;

    /** The number of answers that wait for their turn. */
    private final AtomicInteger delayed = new AtomicInteger();

    public GateService(Limiter limiter, DecisionFields fields, ClientAddress address, GateSettings settings) {
        this(limiter, fields, address, settings, Scheduler.system(), MOST_DELAYED);
    }

    GateService(
            Limiter limiter,
            DecisionFields fields,
            ClientAddress address,
            GateSettings settings,
            Scheduler scheduler,
            int mostDelayed) {
        this.scheduler = scheduler;
        this.mostDelayed = mostDelayed;
        this.limiter = limiter;
        this.fields = fields;
        this.forwarded = new ForwardedRequest(address, settings);
        this.deniedStatus = settings.deniedStatus();
        this.longestDelay = settings.longestDelay();
    }

    /** Decides a request. Ignores the body, but a body that is too large is refused before anything is charged. */
    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        Request asked = forwarded.of(request.headers(), context.remoteAddress().getAddress());
        Duration accepted = delayed.get() < mostDelayed ? longestDelay : Duration.ZERO;
        return limiter.decideAsync(asked.maxDelay(accepted)).thenCompose(this::inTurn);
    }

    /** Completes when the request may proceed. Gateways do not wait by themselves. */
    private CompletionStage<HttpResponse> inTurn(Decision decision) {
        HttpResponse answer = answer(decision);
        Duration delay = decision instanceof Allowed allowed ? allowed.delay() : Duration.ZERO;
        if (delay.isZero()) {
            return CompletableFuture.completedFuture(answer);
        }
        CompletableFuture<HttpResponse> inTurn = new CompletableFuture<>();
        delayed.incrementAndGet();
        scheduler.after(delay, () -> {
            delayed.decrementAndGet();
            inTurn.complete(answer);
        });
        return inTurn;
    }

    private int status(Denied denied) {
        return switch (deniedStatus) {
            case BY_REASON -> ProblemType.of(denied).usualStatus();
            case ALWAYS_429 -> HttpStatus.TOO_MANY_REQUESTS.code();
            case ALWAYS_403 -> HttpStatus.FORBIDDEN.code();
        };
    }

    private HttpResponse answer(Decision decision) {
        if (decision instanceof Denied denied) {
            if (Answers.isOverloaded(denied)) {
                return Answers.overloaded(denied, fields);
            }
            List<HeaderField> headers = new ArrayList<>(fields.of(decision));
            headers.add(new HeaderField(ACTION, denied.action().word()));
            headers.add(new HeaderField(
                    STATUS, Integer.toString(ProblemType.of(denied).usualStatus())));
            return Answers.problem(Problem.of(denied, status(denied)), headers);
        }
        ResponseHeadersBuilder headers = ResponseHeaders.builder(HttpStatus.OK);
        fields.of(decision).forEach(field -> headers.set(field.name(), field.value()));
        return HttpResponse.of(headers.build());
    }
}
