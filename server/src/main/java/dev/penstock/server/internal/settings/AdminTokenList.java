package dev.penstock.server.internal.settings;

import dev.penstock.server.AdminToken;
import dev.penstock.server.Secret;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the tokens of the admin port. Each has the name of its owner from the file, or is named after its source.
 * Not thread-safe.
 */
final class AdminTokenList {
    private final List<AdminToken> all = new ArrayList<>();

    /** Adds the tokens of a role, which are given either directly or in a file. */
    void add(
            AdminToken.Role role,
            Setting<?> setting,
            @Nullable List<Secret> given,
            Setting<TokenFile> fileSetting,
            @Nullable TokenFile file) {
        TokenFile.checkOneOf(setting, given, fileSetting, file);
        List<Secret> alone = given == null ? List.of() : given;
        for (int i = 0; i < alone.size(); i++) {
            String name = alone.size() == 1 ? setting.name() : setting.name() + ":" + (i + 1);
            all.add(new AdminToken(name, role, alone.get(i)));
        }
        for (TokenFile.Line line : file == null ? List.<TokenFile.Line>of() : file.lines()) {
            String own = line.name();
            String name = own == null ? fileSetting.name() + ":" + line.number() : own;
            all.add(new AdminToken(name, role, line.secret()));
        }
    }

    List<AdminToken> all() {
        return all;
    }
}
