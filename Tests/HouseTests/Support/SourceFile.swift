/// A file of the repository, cut into tokens when it is Swift or C.
struct SourceFile {
    /// From the repository's root.
    let path: String
    let lines: [Substring]
    /// Empty for what is neither Swift nor C.
    let tokens: [Token]
    /// Without comments.
    let code: [Token]

    init(path: String, bytes: [UInt8]) {
        self.path = path
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let isCode = [".swift", ".c", ".h"].contains { path.hasSuffix($0) }
        tokens = isCode ? Lexer.tokens(of: bytes) : []
        code = tokens.code
    }

    /// A file that is written in a test.
    init(_ text: String, path: String = "Sources/Room/File.swift") {
        self.init(path: path, bytes: Array(text.utf8))
    }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isSource: Bool { path.hasPrefix("Sources/") }
    var isTest: Bool { path.hasPrefix("Tests/") }
    var isScript: Bool { path.hasPrefix("scripts/") }
    /// The target that it belongs to.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    /// Lines, the empty one after the last line end not counted.
    var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }

    /// A line of it as compilers write it.
    func location(_ line: Int) -> String { "\(path):\(line)" }
}
