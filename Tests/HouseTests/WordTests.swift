import Testing

/// Words and calls that this house does without.
@Suite struct WordTests {
    /// What neither sources nor tests say, and what they can do instead.
    private static let banned: [(pattern: [String], reason: String)] = [
        (["try", "!"], "handle the error, or say in a precondition why there is none"),
        (["as", "!"], "cast with as? and handle nil"),
        (["fatalError", "(", ")"], "say what was impossible"),
        (["Task", ".", "sleep"], "wait on the loop, whose time tests can turn"),
        (["import", "Foundation"], "the standard library and Glibc do"),
        (["import", "FoundationEssentials"], "the standard library and Glibc do"),
    ]
    /// Where standard output is the program's own.
    private static let printing: Set = [
        "Sources/Benchmark/Command/BenchmarkCommand.swift", "Sources/Daemon/Checking/ConfigurationCheck.swift",
        "Sources/Daemon/Checking/SourceCheck.swift", "Sources/Daemon/Starting/DaemonProgram.swift",
        "Sources/Sandbox/Server/SandboxProgram.swift",
    ]
    private static let leftovers: Set = ["FIX" + "ME", "TO" + "DO", "X" + "XX"]

    @Test(arguments: banned.indices)
    func `no file takes a short cut`(_ index: Int) {
        let (pattern, reason) = Self.banned[index]
        let sources = Repository.files.filter { $0.isSource || $0.isTest }
        #expect(sources.flatMap { Self.lines(of: pattern, in: $0) } == [], "\(reason)")
    }

    @Test func `only programs print`() {
        let sources = Repository.files.filter { $0.isSource && !Self.printing.contains($0.path) }
        let found = sources.flatMap { file in
            // A function of that name in the file is another one.
            file.code.matches(of: ["func", "print"]).isEmpty ? Self.calls(of: "print", in: file) : []
        }
        #expect(found == [])
        #expect(Self.printing.filter { !Repository.exists($0) } == [])
    }

    @Test func `nothing is left for later`() {
        let found = Repository.files.flatMap { file in
            file.lines.indices.filter { Self.isLeftover(file.lines[$0]) }.map { file.location($0 + 1) }
        }
        #expect(found == [])
    }

    @Test func `no test waits for time to pass, and none is switched off`() {
        let patterns = [
            ["usleep", "("], ["nanosleep", "("], [".", "disabled"], ["withKnownIssue"], [".", "timeLimit"],
        ]
        let tests = Repository.files.filter(\.isTest)
        let found = tests.flatMap { file in patterns.flatMap { Self.lines(of: $0, in: file) } }
        let sleeping = tests.flatMap { file in
            // A loop's own sleep may be virtual; Glibc's never is.
            Self.calls(of: "sleep", in: file)
        }
        #expect(found + sleeping == [])
    }

    @Test func `a word is found in code and not in strings, a leftover wherever it stands`() {
        let file = SourceFile("let a = try! b(try !c)\nlet c = \"try! d\" // try! e\n")
        #expect(Self.lines(of: ["try", "!"], in: file) == ["Sources/Room/File.swift:1"])
        #expect(Self.isLeftover("// " + "TO" + "DO: all of it"))
        #expect(!Self.isLeftover("mkdtemp(\"" + "X" + "XXXXX\")"))
    }

    /// Calls of a free function.
    private static func calls(of name: String, in file: SourceFile) -> [String] {
        file.code.matches(of: [name, "("])
            .filter { !file.code.has(".", at: $0 - 1) && !file.code.has("func", at: $0 - 1) }
            .map { file.location(file.code[$0].line) }
    }

    private static func lines(of pattern: [String], in file: SourceFile) -> [String] {
        file.code.matches(of: pattern).map { file.location(file.code[$0].line) }
    }

    private static func isLeftover(_ line: Substring) -> Bool {
        line.utf8.split { !($0 >= 0x41 && $0 <= 0x5A) }.contains { leftovers.contains(String($0) ?? "") }
    }
}
