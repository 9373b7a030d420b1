import Testing

/// Rooms use only those below them, and say which.
@Suite struct RoomTests {
    private static let manifest = Manifest(
        Repository.files.first { $0.path == "Package.swift" } ?? SourceFile("", path: "Package.swift")
    )

    /// The modules that a file imports.
    private static func imports(_ file: SourceFile) -> [(module: String, line: Int)] {
        file.code.matches(of: ["import"]).compactMap { index in
            let next = file.code.indices.contains(index + 1) ? file.code[index + 1] : nil
            return next.map { ($0.text, $0.line) }
        }
    }

    private static func files(of target: String) -> [SourceFile] {
        Repository.files.filter { $0.isSwift && $0.target == target }
    }

    @Test func `the manifest is understood`() throws {
        let daemon = try #require(Self.manifest.target("Daemon"))
        #expect(daemon.kind == .room)
        #expect(daemon.uses.contains("Engine"))
        #expect(Self.manifest.target("EngineTests")?.uses.prefix(2) == ["Engine", "TestSupport"])
        #expect(Self.manifest.target("searchd")?.uses == ["Daemon"])
        #expect(Self.manifest.target("CCurl")?.kind == .library)
        let directories = Set(Repository.files.filter { $0.isSource || $0.isTest }.map(\.target))
        // Beside the targets stands the page that tells of them.
        #expect(directories.subtracting(Self.manifest.targets.map(\.name)) == ["README.md"])
    }

    @Test func `a room uses only rooms below it`() {
        let ranks = Dictionary(
            Self.manifest.targets.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let rooms = Self.manifest.targets.filter { $0.kind == .room }
        let upwards = rooms.flatMap { room in
            room.uses.filter { ranks[$0, default: .max] >= ranks[room.name, default: 0] }.map {
                "\(room.name) → \($0)"
            }
        }
        #expect(upwards == [])
    }

    @Test func `a file imports only what its target declares`() {
        let names = Set(Self.manifest.targets.map(\.name))
        let undeclared = Self.manifest.targets.flatMap { target in
            Self.files(of: target.name).flatMap { file in
                Self.imports(file).filter { names.contains($0.module) && !target.uses.contains($0.module) }
                    .map { "\(file.location($0.line)): \($0.module)" }
            }
        }
        #expect(undeclared == [])
    }

    @Test func `what a target declares is imported somewhere in it`() {
        let idle = Self.manifest.targets.filter { $0.kind == .room || $0.kind == .program }.flatMap { target in
            let imported = Set(Self.files(of: target.name).flatMap { Self.imports($0).map(\.module) })
            return target.uses.filter { !imported.contains($0) }.map { "\(target.name) → \($0)" }
        }
        #expect(idle == [])
    }

    @Test func `tests and what they share stay out of the programs`() {
        let outsiders = Self.manifest.targets.filter { $0.kind == .room || $0.kind == .program }.filter { target in
            target.uses.contains("TestSupport") || target.uses.contains { $0.hasSuffix("Tests") }
        }
        #expect(outsiders.map(\.name) == [])
    }

    @Test func `an import above the room is found`() {
        let manifest = Manifest(
            SourceFile(
                "func room(_ name: String) {}\nroom(\"A\")\nroom(\"B\", uses: [\"A\"], resources: [.embedInCode(\"R\")])"
            )
        )
        #expect(manifest.targets.map(\.name) == ["A", "B"])
        #expect(manifest.target("B")?.uses == ["A"])
        #expect(manifest.target("B")?.resources == ["R"])
        #expect(
            Self.imports(SourceFile("package import A\n@testable import B\n// import C")).map(\.module) == ["A", "B"]
        )
    }

    @Test func `every resource is there, and every embedded file is read by name`() throws {
        for target in Self.manifest.targets {
            for resource in target.resources {
                let directory = "Sources/\(target.name)/\(resource)"
                #expect(Repository.exists(directory))
                let files = Repository.files.filter { $0.path.hasPrefix(directory + "/") }
                let words = Set(Self.files(of: target.name).flatMap { $0.code.filter { $0.kind == .word }.map(\.text) })
                let unread = files.map(\.path).filter { path in
                    let name = path.dropFirst(directory.count + 1)
                    return !words.contains(String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" }))
                }
                #expect(unread == [])
            }
        }
    }
}
