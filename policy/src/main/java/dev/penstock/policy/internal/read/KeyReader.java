package dev.penstock.policy.internal.read;

import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.internal.match.KeyedHash;
import dev.penstock.policy.internal.select.KeyPart;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.text.Unexpected;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code key}: the attributes by which a limit counts. */
final class KeyReader {
    private static final String EXPECTED =
            "an attribute such as user or ip/24, or a list of them; [] counts everyone together";
    private static final int MOST_PARTS = 16;

    private final Attributes attributes;
    private final Secrecy secrecy;

    KeyReader(Attributes attributes, Secrecy secrecy) {
        this.attributes = attributes;
        this.secrecy = secrecy;
    }

    /** Returns the parts of the key; null if there is an error. */
    @Nullable
    List<KeyPart> read(Field field) {
        List<KeyPart> parts = new ArrayList<>();
        Set<String> names = new HashSet<>();
        List<Field> items = field.oneOrMore(EXPECTED);
        if (items.size() > MOST_PARTS) {
            field.report(items.size() + " attributes (expected: at most " + MOST_PARTS + ")");
            return null;
        }
        boolean sound = true;
        for (Field item : items) {
            KeyPart part = part(item);
            boolean again = part != null && !names.add(part.attribute());
            if (again) {
                item.refuse("each attribute only once");
            }
            if (part == null || again) {
                sound = false;
            } else {
                parts.add(part);
            }
        }
        return sound ? parts : null;
    }

    /** Reads the attribute by which accounts are colocated. */
    @Nullable
    KeyPart colocation(Field field) {
        String attribute = Texts.read(field, "an attribute", attributes::check);
        if (attribute == null) {
            return null;
        }
        boolean secret = secrecy.isSecret(attribute);
        return KeyPart.of(attribute, secret ? secrecy.hashFor(field) : null);
    }

    private @Nullable KeyPart part(Field item) {
        String text = item.text(EXPECTED);
        if (text == null) {
            return null;
        }
        String[] words = text.split("/", -1);
        try {
            String attribute = attributes.check(words[0]);
            return attribute.equals(AttributeNames.IP) ? address(item, text, words) : plain(item, text, words);
        } catch (Unexpected e) {
            item.refuse(e.expected());
            return null;
        }
    }

    private KeyPart plain(Field item, String text, String[] words) throws Unexpected {
        boolean lower = false;
        boolean hashed = secrecy.isSecret(words[0]);
        for (int i = 1; i < words.length; i++) {
            if (words[i].equals("lower") && !lower && i == 1) {
                lower = true;
            } else if (words[i].equals("hash") && i == words.length - 1) {
                hashed = true;
            } else {
                throw new Unexpected("an attribute, alone or followed by /lower, /hash or /lower/hash");
            }
        }
        if (words[0].equals(AttributeNames.ROUTE) && words.length > 1) {
            throw new Unexpected("route alone: its pattern is counted");
        }
        return new KeyPart(words[0], text, KeyPart.WHOLE_V4, KeyPart.USUAL_V6, lower, hashed ? hash(item) : null);
    }

    private KeyPart address(Field item, String text, String[] words) throws Unexpected {
        int length = words.length;
        boolean hashed = secrecy.isSecret(AttributeNames.IP);
        if (words[length - 1].equals("hash")) {
            hashed = true;
            length--;
        }
        if (length > 3) {
            throw new Unexpected("ip/24 or ip/24/48");
        }
        int v4 = length > 1 ? bits(words[1], KeyPart.WHOLE_V4, "IPv4") : KeyPart.WHOLE_V4;
        int v6 = length > 2 ? bits(words[2], 128, "IPv6") : KeyPart.USUAL_V6;
        return new KeyPart(AttributeNames.IP, text, v4, v6, false, hashed ? hash(item) : null);
    }

    private static int bits(String text, int most, String family) throws Unexpected {
        int bits = text.matches("\\d{1,3}") ? Integer.parseInt(text) : 0;
        if (bits < 1 || bits > most) {
            throw new Unexpected("1 to " + most + " bits of an " + family + " address, as in ip/24 or ip/24/48");
        }
        return bits;
    }

    private @Nullable KeyedHash hash(Field item) {
        return secrecy.hashFor(item);
    }
}
