import Testing

/// Ways around the compiler's checks: each says what protects it.
@Suite struct SafetyTests {
    /// How far above one its comment may be.
    private static let linesMax = 6
    private static let hatches = [
        ["@", "unchecked"], ["nonisolated", "(", "unsafe", ")"], ["unsafeBitCast"], ["Unmanaged"], ["unsafeDowncast"],
        ["assumingMemoryBound"], ["unowned", "(", "unsafe", ")"],
    ]

    @Test func `every way around a check has its reason beside it`() {
        let sources = Repository.files.filter { $0.isSource || $0.isTest }
        #expect(sources.flatMap(Self.unexplained) == [])
    }

    @Test func `a comment too far above does not count`() {
        let gap = String(repeating: "\n", count: Self.linesMax)
        #expect(Self.unexplained(SourceFile("// Why.\(gap)extension A: @unchecked Sendable {}")) == [])
        #expect(Self.unexplained(SourceFile("// Why.\(gap)\nextension A: @unchecked Sendable {}")).count == 1)
        #expect(Self.unexplained(SourceFile("nonisolated(unsafe) var a = 1 // Why.")) == [])
    }

    private static func unexplained(_ file: SourceFile) -> [String] {
        let commented = Set(file.tokens.filter { $0.kind == .comment }.flatMap { $0.line...$0.lastLine })
        let lines = hatches.flatMap { hatch in file.code.matches(of: hatch).map { file.code[$0].line } }
        return lines.filter { line in !(line - linesMax...line).contains(where: commented.contains) }.map(file.location)
    }
}
