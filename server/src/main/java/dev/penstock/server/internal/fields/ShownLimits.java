package dev.penstock.server.internal.fields;

import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.algorithm.Lockout;
import dev.penstock.spi.Charge;
import dev.penstock.spi.LimitSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The limits of a decision that clients may see: those that are enforced, not hidden, and not a block. Immutable.
 *
 * <p>A limit is named after its policy. If several limits of that policy are shown, they are named {@code policy/limit
 * id}, and a second one with the same id {@code policy/limit id/2}. The names come from the charges of the request, so
 * they do not depend on who decided or on which limits were reported. They are printable ASCII: other characters,
 * {@code %}, and a {@code /} within a name are encoded as {@code %} and the hexadecimal digits of their bytes.
 */
public final class ShownLimits {
    /**
     * The state of a limit, with its name.
     *
     * @param resetAfter when all header fields say that the limit resets: at the end of a window, even if nothing was
     *     spent in it; otherwise when everything spent has come back
     */
    record Shown(String name, LimitStatus status, Duration resetAfter) {}

    private static final int NOT_ASKED = -1;

    private final List<Charge> asked;
    private final List<String> names;
    private final List<Shown> seen;

    private ShownLimits(List<Charge> asked, List<String> names, List<Shown> seen) {
        this.asked = asked;
        this.names = names;
        this.seen = seen;
    }

    static ShownLimits of(Decision decision) {
        List<Charge> asked = new ArrayList<>();
        for (Charge charge : decision.charges()) {
            if (isShown(charge)) {
                asked.add(charge);
            }
        }
        List<String> names = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            names.add(name(asked, i));
        }
        List<Shown> seen = new ArrayList<>(asked.size());
        int first = 0;
        List<LimitStatus> limits = decision.limits();
        for (int i = 0; i < limits.size(); i++) {
            LimitStatus status = limits.get(i);
            int index = isShown(status.charge()) ? indexOf(status.charge(), asked) : NOT_ASKED;
            if (index != NOT_ASKED) {
                Shown shown =
                        new Shown(names.get(index), status, decision.evidence().periodEndsAfter(i));
                if (!seen.isEmpty() && isMorePressing(status, seen.get(first).status)) {
                    first = seen.size();
                }
                seen.add(shown);
            }
        }
        if (first > 0) {
            seen.add(0, seen.remove(first));
        }
        return new ShownLimits(asked, names, seen);
    }

    /** Returns true if clients may see the limit of the charge. */
    public static boolean isShown(Charge charge) {
        return charge.isEnforced()
                && charge.settings().exposure() == LimitSettings.Exposure.SHOWN
                && !(charge.limit().algorithm() instanceof Lockout);
    }

    /**
     * Returns true if the first limit matters more to the client. A limit that denies comes before one that does not.
     * If both deny, the one with the longer wait comes first. If neither does, the one with less left comes first.
     */
    public static boolean isMorePressing(LimitStatus one, LimitStatus other) {
        Retry mine = one.retry();
        Retry theirs = other.retry();
        if (mine != null && theirs != null) {
            return theirs.orLater(mine) != theirs;
        }
        return mine != null || (theirs == null && one.isNearerToExhaustionThan(other));
    }

    /**
     * Returns the index of the charge whose limit was reported. They may not be equal, because a fallback reports
     * shares, which are other limits on the same account.
     */
    private static int indexOf(Charge looked, List<Charge> asked) {
        int found = NOT_ASKED;
        for (int i = 0; i < asked.size(); i++) {
            if (areNamesakes(asked.get(i), looked)
                    && (found == NOT_ASKED || asked.get(i).isSameAccountAs(looked))) {
                found = i;
            }
        }
        return found;
    }

    private static boolean areNamesakes(Charge one, Charge other) {
        return policy(one).equals(policy(other))
                && one.limit().id().equals(other.limit().id());
    }

    private static String name(List<Charge> all, int index) {
        Charge charge = all.get(index);
        int ofPolicy = 0;
        int namesakesBefore = 0;
        for (int i = 0; i < all.size(); i++) {
            ofPolicy += policy(all.get(i)).equals(policy(charge)) ? 1 : 0;
            namesakesBefore += i < index && areNamesakes(all.get(i), charge) ? 1 : 0;
        }
        if (ofPolicy == 1) {
            return plain(policy(charge));
        }
        String name = plain(policy(charge)) + "/" + plain(charge.limit().id());
        return namesakesBefore == 0 ? name : name + "/" + (namesakesBefore + 1);
    }

    private static String policy(Charge charge) {
        return charge.settings().policy();
    }

    private static String plain(String name) {
        return PrintableText.of(name, "/");
    }

    /**
     * Returns the number of limits the request is charged to. Their settings are known; the state is known only for
     * those in {@link #seen}.
     */
    int size() {
        return asked.size();
    }

    Charge charge(int i) {
        return asked.get(i);
    }

    String name(int i) {
        return names.get(i);
    }

    /** Returns the reported limits: the most pressing one first, then the others in the order of the charges. */
    List<Shown> seen() {
        return seen;
    }

    /** Returns the attributes that the limits that denied count by and the request lacked. */
    List<String> missing() {
        return seen.stream()
                .filter(shown -> shown.status.isExceeded())
                .flatMap(shown -> shown.status.missing().stream())
                .distinct()
                .toList();
    }

    /** Returns the names of the limits that denied. */
    List<String> violated() {
        return seen.stream()
                .filter(shown -> shown.status.isExceeded())
                .map(Shown::name)
                .toList();
    }
}
