import Glibc
import Testing

/// Checks that modules import only the modules that `Package.swift` declares for them.
@Suite struct ModuleTests {
    private static let manifest = Manifest(
        Repository.files.first { $0.path == "Package.swift" } ?? TextFile("", path: "Package.swift")
    )

    private static func files(of target: String) -> [TextFile] {
        Repository.files.filter { $0.isSwift && $0.target == target }
    }

    @Test func `every directory of Swift files is a target`() {
        let directories = Set(Repository.files.filter(\.isSwift).compactMap(\.target))
        #expect(directories.count > 10)
        #expect(directories.subtracting(Self.manifest.targets.map(\.name)) == [])
    }

    @Test func `a file imports only modules that its target declares`() {
        let names = Set(Self.manifest.targets.map(\.name))
        let undeclared = Self.manifest.targets.flatMap { target in
            Self.files(of: target.name).flatMap { file in
                file.imports.filter { names.contains($0.module) && !target.uses.contains($0.module) }
                    .map { "\(file.path):\($0.line): \($0.module)" }
            }
        }
        #expect(undeclared == [])
    }

    @Test func `every target imports all modules that it declares`() {
        let unused = Self.manifest.targets.filter(\.isProduct).flatMap { target in
            let imported = Set(Self.files(of: target.name).flatMap { $0.imports.map(\.module) })
            return target.uses.filter { !imported.contains($0) }.map { "\(target.name): \($0)" }
        }
        #expect(unused == [])
    }

    @Test func `programs do not use test modules`() {
        let tests = Set(Repository.files.filter { $0.path.hasPrefix("Tests/") }.compactMap(\.target))
        #expect(Self.manifest.targets.filter { $0.isProduct && !tests.isDisjoint(with: $0.uses) }.map(\.name) == [])
    }

    @Test func `Foundation is not imported`() {
        let found = Repository.files.filter(\.isSwift).flatMap { file in
            file.imports.filter { $0.module.hasPrefix("Foundation") }.map { "\(file.path):\($0.line)" }
        }
        #expect(found == [])
    }

    @Test func `targets and imports are read from the text of a file`() {
        let text = """
            func module(_ name: String) { .target(name: name, dependencies: []) }
            module("A"),
            module(
                "B",
                uses: ["A", "C"],
                resources: [.embedInCode("R")]
            ),
            tests(of: "B", uses: ["C"]),
            .target(name: "C", dependencies: ["D"], path: "Tests/C"),
            """
        let targets = Manifest(TextFile(text)).targets
        #expect(targets.map(\.name) == ["A", "B", "BTests", "C"])
        #expect(targets.map(\.uses) == [[], ["A", "C"], ["B", "TestSupport", "C"], ["D"]])
        #expect(targets.map(\.isProduct) == [true, true, false, false])
        let file = TextFile("package import A\n@testable import B\n// import C\nimport D // why")
        #expect(file.imports.map(\.module) == ["A", "B", "D"])
    }
}

/// Checks that a comment explains every expression that disables a check of the compiler.
@Suite struct SafetyTests {
    private static let escapes = [
        "@unchecked", "nonisolated(unsafe)", "unowned(unsafe)", "unsafeBitCast", "unsafeDowncast", "Unmanaged",
        "assumingMemoryBound",
    ]
    private static let distanceMax = 6

    @Test func `every unsafe line has a comment above it`() {
        let files = Repository.files.filter(\.isSwift)
        #expect(files.flatMap(Self.unexplained) == [])
    }

    @Test func `the comment of an unsafe line must be at most six lines above it`() {
        let gap = String(repeating: "\n", count: Self.distanceMax)
        #expect(Self.unexplained(TextFile("// Why.\(gap)extension A: @unchecked Sendable {}")) == [])
        #expect(Self.unexplained(TextFile("// Why.\(gap)\nextension A: @unchecked Sendable {}")).count == 1)
        #expect(Self.unexplained(TextFile("nonisolated(unsafe) var a = 1 // Why.")) == [])
        #expect(Self.unexplained(TextFile("let a = \"@unchecked\"")) == [])
    }

    private static func unexplained(_ file: TextFile) -> [String] {
        file.lines.indices.filter { index in
            let code = TextFile.code(of: file.lines[index])
            guard escapes.contains(where: code.contains) else { return false }
            return !file.lines[max(0, index - distanceMax)...index].contains { $0.contains("//") }
        }
        .map { "\(file.path):\($0 + 1)" }
    }
}

/// Checks the files in `scripts`.
@Suite struct ScriptTests {
    private static let scripts = Repository.files.filter { $0.path.hasPrefix("scripts/") }

    @Test func `every script is executable and stops at the first failure`() {
        #expect(Self.scripts.count > 3)
        // The path is valid during the call.
        let notExecutable = Self.scripts.filter { unsafe access("\(Repository.root)/\($0.path)", X_OK) != 0 }
        #expect(notExecutable.map(\.path) == [])
        #expect(Self.scripts.filter { !Self.isStrict($0) }.map(\.path) == [])
    }

    @Test func `every script has valid syntax`() {
        let wrong = Self.scripts.filter { script in
            // The command is valid during the call. Names of scripts contain no special characters.
            unsafe system("bash -n '\(Repository.root)/\(script.path)'") != 0
        }
        #expect(wrong.map(\.path) == [])
    }

    private static func isStrict(_ script: TextFile) -> Bool {
        guard let shell = script.lines.first, shell.hasPrefix("#!") else { return false }
        let command = script.lines.first { !$0.isEmpty && !$0.hasPrefix("#") }
        return command == (shell.hasSuffix("bash") ? "set -euo pipefail" : "set -eu")
    }
}
