package dev.penstock.server.internal.fields;

import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.algorithm.Lockout;
import dev.penstock.spi.Charge;
import dev.penstock.spi.LimitSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * The limits of a decision that clients may learn of: those that are enforced and neither hidden nor a block. Immutable.
 *
 * <p>Each goes by its policy's name, and where several of that policy are shown by {@code policy/limit id}; a second one of the
 * same id by {@code policy/limit id/2}. The names are made of what was asked for, so they are the same whoever decided and
 * however much was looked at. They are printable ASCII: any other character, {@code %}, and a {@code /} within a name is told as the
 * {@code %} and hexadecimal digits of its bytes.
 */
public final class ShownLimits {
    /** A limit as it stood, under its name. */
    record Shown(String name, LimitStatus status) {}

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
        for (LimitStatus status : decision.limits()) {
            int index = isShown(status.charge()) ? indexOf(status.charge(), asked) : NOT_ASKED;
            if (index != NOT_ASKED) {
                Shown shown = new Shown(names.get(index), status);
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

    /** Whether clients may learn of what is charged. */
    public static boolean isShown(Charge charge) {
        return charge.isEnforced()
                && charge.settings().exposure() == LimitSettings.Exposure.SHOWN
                && !(charge.limit().algorithm() instanceof Lockout);
    }

    /** Of two that deny the one that takes longer to fit; one that denies before one that does not; else what has less left. */
    public static boolean isMorePressing(LimitStatus one, LimitStatus other) {
        Retry mine = one.retry();
        Retry theirs = other.retry();
        if (mine != null && theirs != null) {
            return theirs.orLater(mine) != theirs;
        }
        return mine != null || (theirs == null && one.isNearerToExhaustionThan(other));
    }

    /** What was asked for where that was looked at: a fallback looks at shares, which are other limits on the same account. */
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

    /** How many were asked for; of all of them the numbers are known, and of those in {@link #seen} how they stood. */
    int size() {
        return asked.size();
    }

    Charge charge(int i) {
        return asked.get(i);
    }

    String name(int i) {
        return names.get(i);
    }

    /** Those that were looked at: first the one that matters most, then in the order of the charges. */
    List<Shown> seen() {
        return seen;
    }

    /** The names of those that denied. */
    List<String> violated() {
        return seen.stream()
                .filter(shown -> shown.status.isExceeded())
                .map(Shown::name)
                .toList();
    }
}
