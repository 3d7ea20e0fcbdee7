package dev.penstock.policy.internal.file;

import dev.penstock.policy.internal.yaml.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects that files may have changed without reading them: their names, link targets, sizes and times.
 *
 * @param newestMicros the time of the most recent change
 */
public record FileFingerprint(List<Mark> marks, long newestMicros) {
    /** The state of one file, without size and time if the file does not exist. */
    record Mark(
            Path path,
            @Nullable Path leadsTo,
            long size,
            @Nullable FileTime changed,
            @Nullable Object identity,
            @Nullable Object touched) {}

    public static FileFingerprint of(List<Path> paths) {
        List<Mark> marks = new ArrayList<>();
        long newest = Long.MIN_VALUE;
        for (Path path : paths) {
            for (Path file : PolicyFiles.filesOf(path, new Findings())) {
                Mark mark = mark(file);
                marks.add(mark);
                FileTime changed = mark.changed();
                newest = Math.max(newest, changed == null ? newest : changed.to(TimeUnit.MICROSECONDS));
            }
        }
        return new FileFingerprint(List.copyOf(marks), newest);
    }

    /**
     * Returns the time when anything about the file last changed. Copying can preserve the modification time, but not
     * this one.
     */
    private static @Nullable Object touched(Path file) throws IOException {
        boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        return unix ? Files.getAttribute(file, "unix:ctime") : null;
    }

    private static Mark mark(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Mark(
                    file,
                    file.toRealPath(),
                    attributes.size(),
                    attributes.lastModifiedTime(),
                    attributes.fileKey(),
                    touched(file));
        } catch (IOException e) {
            return new Mark(file, null, -1, null, null, null);
        }
    }
}
