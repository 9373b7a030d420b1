import Testing

/// One type, one job: also when it is spread over files.
@Suite struct TypeTests {
    private static let linesMax = 450
    private static let sharedVariablesMax = 10
    /// Longer ones, and why they are one type all the same.
    private static let longer = [
        "Catalogue.Declared": "reads every kind of member that a source's file may have, each in an extension",
        "Catalogue.Source": "a recipe's two directions, request and page, in an extension each",
        "Client.CommandOption": "the options of every command, those of one subject in an extension",
        "Engine.AdmissionTable": "one state of all limits, decided and reported together",
        "RPC.MethodDescription": "every method is described, those of one subject in an extension",
        "Storage.QuotaLedger": "one file, its leases and its rows",
    ]

    @Test func `no type is longer than its job, all its files together`() {
        let sizes = TypeSize.all(in: Repository.files)
        #expect(sizes.count > 500)
        #expect(
            sizes.filter { $0.lines > Self.linesMax && Self.longer[$0.name] == nil }.map {
                "\($0.name): \($0.lines) lines"
            } == []
        )
    }

    @Test func `no class and no actor opens its state to other files`() {
        let open = TypeSize.all(in: Repository.files).filter { $0.sharedVariables > Self.sharedVariablesMax }
        #expect(open.map { "\($0.name): \($0.sharedVariables) variables" } == [])
    }

    @Test func `the lines of a type and its extensions are added up, those of other types and targets not`() {
        let body = "{\n" + String(repeating: "    func f() {}\n", count: 10) + "}\n"
        let files = [
            SourceFile("actor A \(body)private struct C \(body)", path: "Sources/Room/A.swift"),
            SourceFile("extension A: P \(body)struct B<T>: Q where T: R \(body)", path: "Sources/Room/A+B.swift"),
            SourceFile("final class A \(body)private struct C \(body)", path: "Sources/Other/A.swift"),
            SourceFile("enum A \(body)", path: "Tests/Room/A.swift"),
        ]
        let lines = Dictionary(uniqueKeysWithValues: TypeSize.all(in: files).map { ($0.name, $0.lines) })
        #expect(
            lines == [
                "Room.A": 24, "Room.B": 12, "Other.A": 12, "Sources/Room/A.swift.C": 12, "Sources/Other/A.swift.C": 12,
            ]
        )
    }

    @Test func `variables are counted that other files may set`() {
        let text = """
            final class A: @unchecked Sendable {
                var a = 1
                let b = 2
                private var c = 3
                private(set) var d: Int
                var e: Int?
                var f: Int { e ?? 0 }
                var g: (Int) -> Void = { _ in }
                var h: Int {
                    didSet { c += 1 }
                }
                static func i() { var j = 1 }
                struct K { var l = 1 }
            }
            struct M { var n = 1 }
            """
        let sizes = TypeSize.all(in: [SourceFile(text)])
        #expect(sizes.map(\.sharedVariables) == [4, 0])
    }
}
