package dev.penstock.testkit.server;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection to a Redis server that speaks RESP2 over a plain socket, so that tests control servers without the
 * client library under test. Not thread-safe.
 */
final class RespConnection implements AutoCloseable {
    private static final String NIL = "(nil)";

    private final Socket socket;
    private final DataInputStream replies;

    private RespConnection(Socket socket) throws IOException {
        this.socket = socket;
        replies = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** Connects to a port of the loopback address. The timeout applies to connecting and to each answer. */
    static RespConnection open(int port, Duration patience) throws IOException {
        Socket socket = new Socket();
        try {
            int patienceMillis = Math.toIntExact(patience.toMillis());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(patienceMillis);
            socket.connect(LoopbackPort.address(port), patienceMillis);
            return new RespConnection(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Sends a command and returns its reply: the elements of an array each on a line, null as {@code (nil)}.
     *
     * @throws IllegalStateException if the server answers with an error, whose text is the message
     */
    String command(String... args) throws IOException {
        send(args);
        return receive();
    }

    /** Sends a command without waiting for its reply. */
    void send(String... args) throws IOException {
        StringBuilder text = new StringBuilder("*").append(args.length).append("\r\n");
        for (String arg : args) {
            int lengthBytes = arg.getBytes(StandardCharsets.UTF_8).length;
            text.append('$').append(lengthBytes).append("\r\n").append(arg).append("\r\n");
        }
        socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Waits for the next reply. */
    String receive() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '-' -> throw new IllegalStateException(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> array(Integer.parseInt(rest));
            default -> throw new IOException("reply: " + line + " (expected: RESP2)");
        };
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private String bulk(int lengthBytes) throws IOException {
        if (lengthBytes < 0) {
            return NIL;
        }
        byte[] bytes = new byte[lengthBytes];
        replies.readFully(bytes);
        replies.readFully(new byte[2]);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String array(int length) throws IOException {
        if (length < 0) {
            return NIL;
        }
        List<String> members = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            members.add(receive());
        }
        return String.join("\n", members);
    }

    /** Reads a line without its end. It is never empty. */
    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = replies.read(); next != '\n'; next = replies.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            line.append((char) next);
        }
        if (line.length() < 2) {
            throw new IOException("reply: an empty line (expected: RESP2)");
        }
        return line.substring(0, line.length() - 1);
    }
}
