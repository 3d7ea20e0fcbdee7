package dev.penstock.server.internal.settings;

import dev.penstock.policy.internal.text.Unexpected;
import java.nio.file.Path;

/**
 * A text that stands for a setting, or for one item of its list.
 *
 * @param base what paths start from
 * @param complaint where to say that something else was expected
 */
record SettingText(String text, Path base, Complaint complaint) {
    /** Notes that a piece is not what it should be. */
    interface Complaint {
        void refuse(Unexpected problem);
    }
}
