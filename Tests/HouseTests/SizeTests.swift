import Testing

@Suite struct SizeTests {
    private static let fileLinesMax = 400

    @Test func `no file is longer than a reader's patience`() {
        let long = Repository.files.filter { $0.lineCount > Self.fileLinesMax }
        #expect(long.map { "\($0.path): \($0.lineCount) lines" } == [])
    }

    @Test func `no function is longer than a page`() {
        let long = Repository.files.flatMap { file in
            Functions.tooLong(in: file).map { "\(file.location($0.line)): \($0.count) lines" }
        }
        #expect(long == [])
    }

    @Test(arguments: [
        "func f(a: () -> Void = {}) ", "init() throws(Trouble) ", "subscript(index: Int) -> Int ", "var long: Int ",
    ])
    func `one line too many is found`(_ head: String) {
        let fitting = head + "{\n" + String(repeating: "    call { }\n", count: Functions.linesMax - 2) + "}\n"
        let long = head + "{\n" + String(repeating: "    call { }\n", count: Functions.linesMax - 1) + "}\n"
        #expect(Functions.tooLong(in: SourceFile("struct S {\n\(fitting)}")).isEmpty)
        #expect(Functions.tooLong(in: SourceFile("struct S {\n\(long)}")).map(\.count) == [Functions.linesMax + 1])
    }

    @Test func `a type may be longer than a function, and a declaration has no body`() {
        let text = "protocol P {\n    func f()\n    var x: Int { get }\n}\nstruct S {\n    var y = [1]\n"
        let rest = String(repeating: "    // {\n    let brace = \"{\"\n", count: Functions.linesMax) + "}\n"
        #expect(Functions.tooLong(in: SourceFile(text + rest)).isEmpty)
    }

    @Test func `functions of C are counted, and tables are not`() {
        let body = String(repeating: "    call();\n", count: Functions.linesMax)
        let file = SourceFile("int table[] = {\n\(body)};\nint f(int a) {\n\(body)}\n", path: "Sources/C/c.c")
        #expect(Functions.tooLong(in: file).map(\.line) == [Functions.linesMax + 3])
    }
}
