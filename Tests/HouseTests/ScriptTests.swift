import Testing

/// Scripts stop at their first failure.
@Suite struct ScriptTests {
    @Test func `every script stops at its first failure`() {
        let scripts = Repository.files.filter(\.isScript)
        #expect(scripts.count > 3)
        #expect(scripts.filter { !Self.isStrict($0) }.map(\.path) == [])
    }

    @Test func `the first command must be the strict one`() {
        let strict = "#!/usr/bin/env bash\n# What it does.\n\nset -euo pipefail\nls\n"
        #expect(Self.isStrict(SourceFile(strict, path: "scripts/a")))
        #expect(Self.isStrict(SourceFile("#!/bin/sh\nset -eu\n", path: "scripts/b")))
        #expect(!Self.isStrict(SourceFile("#!/usr/bin/env bash\nset -eu\n", path: "scripts/c")))
        #expect(!Self.isStrict(SourceFile("#!/bin/sh\ncd /\nset -eu\n", path: "scripts/d")))
        #expect(!Self.isStrict(SourceFile("set -euo pipefail\n", path: "scripts/e")))
    }

    private static func isStrict(_ script: SourceFile) -> Bool {
        guard let shell = script.lines.first, shell.hasPrefix("#!") else { return false }
        let command = script.lines.first { !$0.isEmpty && !$0.hasPrefix("#") }
        return command == (shell.hasSuffix("bash") ? "set -euo pipefail" : "set -eu")
    }
}
