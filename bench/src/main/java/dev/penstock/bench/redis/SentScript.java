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
 * One decision as the engine sends it: a script, one key and one argument. It is captured with MONITOR, so it is
 * exactly what was sent.
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

    /** Sends decisions until the state has its final form, and captures one more with MONITOR. */
    static SentScript watch(RedisServer server, Scenario scenario) {
        List<String> values = List.of(scenario.accounts().get(0).text().of(0));
        try (Decider decider = Deciders.open(Deciders.PENSTOCK, server.uri(), scenario.accounts());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                BufferedReader told = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1))) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            askUntilKeptInShort(server, decider, values);
            socket.getOutputStream().write("MONITOR\r\n".getBytes(ISO_8859_1));
            told.readLine();
            server.command("SCRIPT", "FLUSH"); // so that the full text is sent
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
        throw new IllegalStateException("no script was sent (expected: one per decision)");
    }

    /** A state is written in full until the engine knows its mark, which takes some milliseconds. */
    private static void askUntilKeptInShort(RedisServer server, Decider decider, List<String> values) {
        for (int i = 0; i < MOST_TRIES; i++) {
            decider.decide(values).toCompletableFuture().join();
            String state = server.command("KEYS", "*{*" + values.get(0) + "}*");
            if (server.command("OBJECT", "ENCODING", state).equals(KEPT_IN_SHORT)) {
                return;
            }
        }
        throw new IllegalStateException("the state is still written in full (expected: the short form by now)");
    }

    String key() {
        return key;
    }

    /** Loads the script into Redis with its argument written into it. Returns its digest. */
    String loadWithArgument(RedisServer server) {
        StringBuilder bytes = new StringBuilder();
        for (byte each : argument) {
            bytes.append('\\').append(String.format(Locale.ROOT, "%03d", each & 0xff));
        }
        return server.command("SCRIPT", "LOAD", "local ARGV = {'" + bytes + "'}\n" + script);
    }

    /** Returns the words of a command in a line of MONITOR. Each is in quotes, with escapes for special characters. */
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
