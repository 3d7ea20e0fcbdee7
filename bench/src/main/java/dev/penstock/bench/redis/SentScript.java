package dev.penstock.bench.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.penstock.testkit.server.RedisServer;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One decision as our engine sends it: a script, one key, one argument. Redis tells it (MONITOR), so it is what is sent, and
 * not what somebody thinks.
 */
final class SentScript {
    private static final String KEPT_IN_SHORT = "int";
    private static final int MOST_TRIES = 10_000;
    private static final int PATIENCE_MILLIS = 10_000;

    private final String script;
    private final String key;
    private final byte[] argument;

    private SentScript(String script, String key, byte[] argument) {
        this.script = script;
        this.key = key;
        this.argument = argument;
    }

    /** Asks until the state is as it is from then on, and once more while Redis tells what it is asked. */
    static SentScript watch(RedisServer server, Scenario scenario) {
        List<String> values = List.of(scenario.accounts().get(0).text().of(0));
        try (Decider decider = Deciders.open(Deciders.PENSTOCK, server.uri(), scenario.accounts());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                BufferedReader told = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1))) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            askUntilKeptInShort(server, decider, values);
            socket.getOutputStream().write("MONITOR\r\n".getBytes(ISO_8859_1));
            told.readLine();
            server.command("SCRIPT", "FLUSH"); // so that it is sent by its text
            decider.decide(values).toCompletableFuture().join();
            for (String line = told.readLine(); line != null; line = told.readLine()) {
                List<byte[]> words = words(line);
                if (!words.isEmpty() && text(words.get(0)).equalsIgnoreCase("EVAL")) {
                    return new SentScript(text(words.get(1)), text(words.get(3)), words.get(4));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no script was sent (expected: one for a decision)");
    }

    /** A state is written in full until the engine knows its mark; that takes some milliseconds. */
    private static void askUntilKeptInShort(RedisServer server, Decider decider, List<String> values) {
        for (int i = 0; i < MOST_TRIES; i++) {
            decider.decide(values).toCompletableFuture().join();
            String state = server.command("KEYS", "*{*" + values.get(0) + "}*");
            if (server.command("OBJECT", "ENCODING", state).equals(KEPT_IN_SHORT)) {
                return;
            }
        }
        throw new IllegalStateException("the state is still written in full (expected: in short by now)");
    }

    String key() {
        return key;
    }

    /** Makes Redis know the script with its argument written into it, by the digest that this gives. */
    String loadWithArgument(RedisServer server) {
        StringBuilder bytes = new StringBuilder();
        for (byte each : argument) {
            bytes.append('\\').append(String.format(Locale.ROOT, "%03d", each & 0xff));
        }
        return server.command("SCRIPT", "LOAD", "local ARGV = {'" + bytes + "'}\n" + script);
    }

    /** The words of a command in a line of MONITOR: each in quotes, with a sign before what is no plain letter. */
    static List<byte[]> words(String line) {
        List<byte[]> words = new ArrayList<>();
        ByteArrayOutputStream word = null;
        for (int i = 0; i < line.length(); i++) {
            char sign = line.charAt(i);
            if (word == null) {
                word = sign == '"' ? new ByteArrayOutputStream() : null;
            } else if (sign == '"') {
                words.add(word.toByteArray());
                word = null;
            } else if (sign != '\\') {
                word.write(sign);
            } else if (line.startsWith("x", i + 1)) {
                word.write(Integer.parseInt(line, i + 2, i + 4, 16));
                i += 3;
            } else {
                i++;
                word.write(named(line.charAt(i)));
            }
        }
        return words;
    }

    private static int named(char letter) {
        return switch (letter) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'a' -> 7;
            case 'b' -> '\b';
            default -> letter;
        };
    }

    private static String text(byte[] word) {
        return new String(word, ISO_8859_1);
    }
}
