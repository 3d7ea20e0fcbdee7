package dev.penstock.testkit;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ReferenceEngine.AccountId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs an engine and the reference through the same steps at the same times, and compares every answer in full. */
final class LockStep {
    /** A step with its number in the trace. */
    record Numbered(int number, Step step) {}

    /** A step that was taken, with its time, the accounts that it touched, and the reference's answer. */
    record Taken(Numbered numbered, long now, Set<AccountId> accounts, Object answer) {
        @Override
        public String toString() {
            return "  step " + numbered.number + " at " + Step.moment(now) + ": " + numbered.step + "\n      -> "
                    + answer;
        }
    }

    /** The engine's answer differs from the reference's. */
    static final class Mismatch extends Exception {
        private static final long serialVersionUID = 1;

        Mismatch(List<String> differences, @Nullable Throwable cause) {
            super(String.join("\n", differences), cause);
        }
    }

    private record Issued(PermitHandle grant, int handle, Ask ask) {}

    /** The answer to an allowed ask with an id, and its time. A denied ask is decided anew. */
    private record Answered(
            Ask ask, Expected expected, @Nullable PermitHandle grant, long now) {}

    private final Engine engine;
    private final ManualClock clock;
    private final ReferenceEngine reference;
    private final Map<Integer, Issued> issuedAt = new HashMap<>();
    private final Map<String, Answered> answered = new HashMap<>();
    private final Map<String, String> owners = new HashMap<>();
    private final Map<AccountId, Charge> lastCharges = new LinkedHashMap<>();
    private final Set<String> permitIds = new HashSet<>();
    private final List<Taken> taken = new ArrayList<>();

    /**
     * Creates a run.
     *
     * @param mostExpired how many expired holds one call to the engine ends
     */
    LockStep(Engine engine, ManualClock clock, int mostExpired) {
        this.reference = new ReferenceEngine(mostExpired);
        this.engine = engine;
        this.clock = clock;
    }

    /** Takes one step. Returns the expected decision; null for other steps. */
    @Nullable
    Expected take(Numbered numbered) throws Mismatch {
        try {
            return takeOrBreak(numbered);
        } catch (RuntimeException broken) {
            throw new Mismatch(List.of(broken.toString()), broken);
        }
    }

    private @Nullable Expected takeOrBreak(Numbered numbered) throws Mismatch {
        Step step = numbered.step;
        if (step instanceof Step.Turn turn) {
            taken.add(new Taken(numbered, clock.micros(), Set.of(), "done"));
            boolean back = turn.micros() < clock.micros();
            if (back) {
                peekAtEveryAccount();
                forgetWhatNoLongerCounts();
            }
            clock.setMicros(turn.micros());
            if (back) {
                peekAtEveryAccount();
            }
        } else if (step instanceof Step.Decide decide) {
            return decide(numbered, decide.ask());
        } else if (step instanceof Step.Settle settle) {
            Issued permit = issuedAt.get(settle.issuedAt());
            if (permit != null) {
                forgetTied(reference.charges(permit.handle));
                Settlement wanted = reference.settle(permit.handle, settle.actual(), clock.micros());
                note(numbered, permit.ask, wanted);
                compare(wanted, await(engine.settle(permit.grant.id(), settle.actual())));
            }
        } else if (step instanceof Step.Renew renew) {
            Issued permit = issuedAt.get(renew.issuedAt());
            if (permit != null) {
                forgetTied(reference.charges(permit.handle));
                Settlement wanted = reference.renew(permit.handle, clock.micros());
                note(numbered, permit.ask, wanted);
                compare(wanted, await(engine.renew(permit.grant.id())));
            }
        } else if (step instanceof Step.Reset reset) {
            note(numbered, reset.ask(), "done");
            reference.reset(reset.ask());
            await(engine.reset(reset.ask()));
        }
        return null;
    }

    private @Nullable Expected decide(Numbered numbered, Ask ask) throws Mismatch {
        long now = clock.micros();
        if (isAnothers(ask)) {
            note(numbered, ask, "the id is taken");
            compareTaken(await(engine.decide(ask)));
            return null;
        }
        Answered earlier = ask.id() == null ? null : answered.get(ask.id());
        if (earlier != null && holds(earlier, now)) {
            return decideAgain(numbered, ask, earlier);
        }
        forgetTied(enforcedFirst(ask));
        Expected expected = reference.decide(ask, now);
        note(numbered, ask, expected);
        Decision got = await(engine.decide(ask));
        PermitHandle grant = grant(got);
        if (ask.id() != null && expected.allowed()) {
            answered.put(ask.id(), new Answered(ask, expected, grant, now));
            if (ask.fingerprint() != null) {
                owners.putIfAbsent(ask.id(), ask.fingerprint());
            }
        } else if (ask.id() != null) {
            answered.remove(ask.id());
        }
        List<String> differences = new ArrayList<>(DecisionCheck.differences(ask, expected, got, now));
        Expected.Permit permit = expected.permit();
        if (grant != null) {
            if (!grant.id().startsWith(engine.name())) {
                differences.add("permit id: " + grant.id() + " (expected: one that begins with " + engine.name() + ")");
            }
            if (!permitIds.add(grant.id())) {
                differences.add("permit id: " + grant.id() + " (expected: one never issued before)");
            }
        }
        failIfAny(differences);
        if (grant != null && permit != null) {
            issuedAt.put(numbered.number, new Issued(grant, permit.handle(), ask));
        }
        return expected;
    }

    /**
     * Peeks at every account. An engine may clean up expired holds, and repair accounts after the clock was set back,
     * at any time, as long as the effect is not visible. It also looks for idle accounts on its own and evicts them.
     * The effect would become visible if an account were read only after the clock was set back, or only some time
     * later.
     */
    private void peekAtEveryAccount() throws Mismatch {
        for (Charge charge : lastCharges.values()) {
            Ask peek = Ask.of(charge).peek();
            forgetTied(peek.charges());
            Expected expected = reference.decide(peek, clock.micros());
            failIfAny(DecisionCheck.differences(peek, expected, await(engine.decide(peek)), clock.micros()));
        }
    }

    /**
     * Resets every account whose usage no longer counts. An engine may evict it at any time. Only setting the clock
     * back could show whether it did, so the account is removed before that.
     */
    private void forgetWhatNoLongerCounts() {
        for (Charge charge : lastCharges.values()) {
            if (reference.isForgettable(charge, clock.micros())) {
                reference.reset(Ask.of(charge));
                await(engine.reset(Ask.of(charge)));
            }
        }
    }

    /**
     * Resets accounts in which more holds expire at the same time than one call ends, because the engine may choose
     * which ones to end.
     */
    private void forgetTied(List<Charge> inOrder) {
        for (Charge tied = reference.firstTied(inOrder, clock.micros());
                tied != null;
                tied = reference.firstTied(inOrder, clock.micros())) {
            reference.reset(Ask.of(tied));
            await(engine.reset(Ask.of(tied)));
        }
    }

    private static List<Charge> enforcedFirst(Ask ask) {
        return ask.charges().stream()
                .sorted(Comparator.comparing(charge -> charge.isEnforced() ? 0 : 1))
                .toList();
    }

    /** Returns true if the ask's id belongs to another ask that was allowed, even if its permit has ended. */
    private boolean isAnothers(Ask ask) {
        String fingerprint = ask.fingerprint();
        String owner = fingerprint == null ? null : owners.get(String.valueOf(ask.id()));
        return owner != null && !owner.equals(fingerprint);
    }

    /**
     * Returns true if the earlier answer still applies: as long as its permit lives, or without a permit for the whole
     * trace.
     */
    private boolean holds(Answered earlier, long now) {
        Expected.Permit permit = earlier.expected.permit();
        return permit == null || reference.isLive(permit.handle(), now);
    }

    private static void compareTaken(Decision got) throws Mismatch {
        boolean taken = got instanceof Denied denied && denied.reason() == Denied.Reason.ID_TAKEN;
        failIfAny(taken ? List.of() : List.of("answer: " + got + " (expected: the id is taken)"));
    }

    /**
     * Checks that an ask under the same id gets the same answer. Charges that have changed since then are not reported.
     */
    private @Nullable Expected decideAgain(Numbered numbered, Ask ask, Answered earlier) throws Mismatch {
        boolean isSame = ask.isSameAs(earlier.ask);
        note(numbered, ask, "same answer as before");
        Decision again = await(engine.decide(ask));
        Expected expected = isSame ? earlier.expected : unseen(earlier.expected);
        failIfAny(DecisionCheck.differences(isSame ? ask : Ask.of(), expected, again, earlier.now));
        compareGrants(earlier.grant, grant(again));
        return isSame ? earlier.expected : null;
    }

    private static Expected unseen(Expected expected) {
        return new Expected(expected.allowed(), expected.delayMicros(), List.of(), expected.permit());
    }

    private static @Nullable PermitHandle grant(Decision decision) {
        return decision instanceof Allowed allowed ? allowed.permitHandle() : null;
    }

    private static void compareGrants(@Nullable PermitHandle wanted, @Nullable PermitHandle got) throws Mismatch {
        failIfAny(
                Objects.equals(wanted, got)
                        ? List.of()
                        : List.of("permit: " + got + " (expected: that of the first time, " + wanted + ")"));
    }

    private static void compare(Settlement wanted, Settlement got) throws Mismatch {
        failIfAny(got.equals(wanted) ? List.of() : List.of("answer: " + got + " (expected: " + wanted + ")"));
    }

    private static void failIfAny(List<String> differences) throws Mismatch {
        if (!differences.isEmpty()) {
            throw new Mismatch(differences, null);
        }
    }

    private void note(Numbered numbered, Ask ask, Object answer) {
        Set<AccountId> accounts = new HashSet<>();
        for (Charge charge : ask.charges()) {
            accounts.add(AccountId.of(charge));
            lastCharges.put(AccountId.of(charge), charge);
        }
        taken.add(new Taken(numbered, clock.micros(), accounts, answer));
    }

    /** Returns the steps taken so far. */
    List<Taken> taken() {
        return taken;
    }

    /** Returns the last steps that touched an account of the final step. */
    List<Taken> lastSteps(int most) {
        if (taken.isEmpty()) {
            return List.of();
        }
        Set<AccountId> accounts = taken.get(taken.size() - 1).accounts;
        List<Taken> concerned = taken.stream()
                .filter(one -> one.accounts.stream().anyMatch(accounts::contains))
                .toList();
        return concerned.subList(Math.max(0, concerned.size() - most), concerned.size());
    }

    private static <T> T await(Reply<T> reply) {
        T ready = reply.ifReady();
        return Objects.requireNonNull(
                ready != null ? ready : reply.whenReady().toCompletableFuture().join());
    }
}
