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
 * What tells that files may have changed, without reading them: which there are, where links lead, sizes and times.
 *
 * @param newestMicros when the one changed last did
 */
public record FileFingerprint(List<Mark> marks, long newestMicros) {
    /** Of one file; without size and time where there is none. */
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

    /** When anything about the file changed: no copy can set it back, as it can the time of its contents. */
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
