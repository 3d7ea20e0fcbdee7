package dev.penstock.server.internal.settings;

import dev.penstock.policy.text.Unexpected;
import java.nio.file.Path;

/**
 * The text of a setting, or of one item of its list.
 *
 * @param base the directory at which relative paths start
 * @param complaint receives the error if the text is not valid
 */
record SettingText(String text, Path base, Complaint complaint) {
    /** Records that a text is not valid. */
    interface Complaint {
        void refuse(Unexpected problem);
    }
}
