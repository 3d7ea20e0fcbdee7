package dev.penstock.observe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Appends lines to a file in a process whose file size is limited at first and unlimited later. */
final class FullDiskChild {
    private FullDiskChild() {}

    public static void main(String[] args) throws Exception {
        try (LineFile file = new LineFile(Path.of(args[0]), 1 << 20, 0)) {
            append(file, "first");
            for (String line : new String[] {"y".repeat(2_000), "refused"}) {
                try {
                    append(file, line);
                } catch (IOException e) {
                    System.out.println("refused");
                }
            }
            String pid = Long.toString(ProcessHandle.current().pid());
            int status = new ProcessBuilder("/usr/bin/prlimit", "--pid", pid, "--fsize=unlimited:unlimited")
                    .inheritIO()
                    .start()
                    .waitFor();
            System.out.println(status == 0 ? "room again" : "no room");
            append(file, "last");
        }
    }

    private static void append(LineFile file, String line) throws IOException {
        file.append((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
