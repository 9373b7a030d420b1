import Glibc

/// The text files of this source tree.
enum Repository {
    static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    static let files = ["Package.swift", "Sources", "Tests", "scripts"].flatMap { files(at: $0) }

    private static func files(at path: String) -> [TextFile] {
        // Only this function uses the stream, and it closes the stream before it returns.
        guard let stream = unsafe opendir("\(root)/\(path)") else { return [TextFile(contents(of: path), path: path)] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // The entry is valid until the next call. Its name ends with NUL and is copied before that call.
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted().flatMap { files(at: "\(path)/\($0)") }
    }

    private static func contents(of path: String) -> String {
        // The path is valid during the call.
        let descriptor = unsafe open("\(root)/\(path)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            // The kernel writes at most the length of the array.
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}

/// The lines of a file of the repository.
struct TextFile {
    let path: String
    let lines: [Substring]

    init(_ text: String, path: String = "Sources/Module/File.swift") {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    var isSwift: Bool { path.hasSuffix(".swift") }

    /// The name of the directory below `Sources` or `Tests`, and nil for other files.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && ["Sources", "Tests"].contains(parts[0]) ? String(parts[1]) : nil
    }

    var imports: [(module: String, line: Int)] {
        let modifiers: Set<Substring> = ["@testable", "public", "package", "internal", "private", "fileprivate"]
        return lines.enumerated().compactMap { index, line in
            let words = line.split(separator: " ").drop(while: modifiers.contains)
            return words.first == "import" ? words.dropFirst().first.map { (String($0), index + 1) } : nil
        }
    }

    static func code(of line: Substring) -> String {
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        let outside = parts.indices.filter { $0 % 2 == 0 }.map { parts[$0] }.joined(separator: "\"\"")
        return outside.firstRange(of: "//").map { String(outside[..<$0.lowerBound]) } ?? outside
    }
}

/// The targets that `Package.swift` declares.
struct Manifest {
    struct Target {
        let name: String
        /// Whether the target is part of a program, not of the tests.
        let isProduct: Bool
        let uses: [String]
    }

    let targets: [Target]

    init(_ file: TextFile) {
        targets = file.lines.indices.compactMap { index in
            Self.beginnings.first { file.lines[index].drop { $0 == " " }.hasPrefix($0) }
                .flatMap { Self.target($0, in: file.lines[index...].joined(separator: "\n")) }
        }
    }

    private static let beginnings = ["module(", "program(", "tests(", ".target(", ".testTarget(", ".systemLibrary("]

    /// Returns nil if the name is not a literal, as in a function that declares several targets.
    private static func target(_ beginning: String, in text: String) -> Target? {
        var depth = 0
        let call = text.prefix { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return depth > 0 || character != ")"
        }
        let arguments = call.dropFirst(call.prefix { $0 != "(" }.count + 1).drop(while: \.isWhitespace)
        guard let first = texts(in: arguments).first, !first.contains("\\"),
            ["\"", "name: \"", "of: \""].contains(where: arguments.hasPrefix)
        else { return nil }
        let list = ["uses: [", "dependencies: ["].lazy.compactMap { call.firstRange(of: $0)?.upperBound }.first
        let uses = list.map { texts(in: call[$0...].prefix { $0 != "]" }) } ?? []
        let isTests = beginning == "tests("
        return Target(
            name: isTests ? "\(first)Tests" : first,
            isProduct: ["module(", "program("].contains(beginning),
            uses: isTests ? [first, "TestSupport"] + uses : uses
        )
    }

    private static func texts(in text: Substring) -> [String] {
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }
}
