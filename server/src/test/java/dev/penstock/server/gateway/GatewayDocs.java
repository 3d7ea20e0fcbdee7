package dev.penstock.server.gateway;

import dev.penstock.server.internal.settings.Setting;
import dev.penstock.server.internal.settings.SettingTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The section of one gateway in {@code docs/gateways.md}. */
final class GatewayDocs {
    private final String section;

    GatewayDocs(String document, String title) {
        String from = document.substring(document.indexOf("\n## " + title + "\n") + 1);
        int end = from.indexOf("\n## ");
        this.section = end < 0 ? from : from.substring(0, end);
    }

    /** Returns the flags of the first command, each under the name of its setting. */
    Map<String, List<String>> flags() {
        String command = block("");
        Map<String, List<String>> flags = new LinkedHashMap<>();
        for (Setting<?> setting : SettingTable.settings()) {
            Matcher flag = Pattern.compile(setting.flag() + " (\\S+)").matcher(command);
            if (flag.find()) {
                flags.put(setting.name(), List.of(flag.group(1)));
            }
        }
        return flags;
    }

    /** Returns the first block in the language. */
    String block(String language) {
        String fence = "\n```" + language + "\n";
        int from = section.indexOf(fence) + fence.length();
        return section.substring(from, section.indexOf("```", from));
    }
}
