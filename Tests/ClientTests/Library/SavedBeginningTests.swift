import JSON
import RPC
import TestSupport
import Testing

@testable import Client

/// Ids of saved items by their beginnings.
struct SavedBeginningTests {
    private let directory = TemporaryDirectory()

    private func found(_ word: String, in items: [JSONValue]) throws -> String? {
        let directory = TemporaryDirectory()
        let library = try FakeLibrary(at: directory.file("socket"), items)
        var arguments = Arguments()
        arguments.append(.text(library.path), of: .socket)
        let context = Context(console: Console(), environment: Environment([:]))
        return try SavedBeginning(arguments: arguments, context: context).item(word)?["id"]?.string
    }

    private func item(_ id: String) -> JSONValue {
        let source = String(id.prefix { $0 != ":" })
        return ["id": .string(id), "source": .string(source), "title": "고양이"]
    }

    @Test func `a beginning that one item has is that item, and a whole id is its own`() throws {
        let items = ["kakao.book:5f", "kakao.book:5f2c", "kakao.blog:77", "itunes.app:1"].map(item)
        #expect(try found("kakao.book:5f2", in: items) == "kakao.book:5f2c")
        #expect(try found("kakao.book:5f", in: items) == "kakao.book:5f")
        #expect(try found("kakao.bl", in: items) == "kakao.blog:77")
        #expect(try found("it", in: items) == "itunes.app:1")
        for word in ["kakao.book:6", "naver", "x.y:1", "", ":", "kakao:", "K", "고양이", "a*"] {
            #expect(try found(word, in: items) == nil, "\(word)")
        }
    }

    @Test(arguments: ["k", "kakao.book", "kakao.book:", "kakao.book:5"])
    func `one that several items have is refused, with these`(word: String) throws {
        let items = ["kakao.book:5f1", "kakao.book:5f2c"].map(item)
        let error = #expect(throws: ClientError.self) { try found(word, in: items) }
        #expect(error?.code == .usage)
        #expect(error?.message == "“\(word)” begins the ids of 2 hits: kakao.book:5f2c (고양이), kakao.book:5f1 (고양이)")
    }

    @Test(arguments: ["show", "open"])
    func `any command that takes an id takes the beginning of a saved one`(command: String) throws {
        let saved = #"{"id":"a.b:12345","source":"a.b","title":"고양이","url":"https://example.org/"}"#
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [
                .libraryGet: ScriptedDaemon.failure("notFound", "No saved item has this id.", code: -32010),
                .libraryList: #"{"items":[\#(saved)],"total":1,"next":null}"#,
                .lookup: #"{"hit":\#(saved),"full":true,"cache":"hit","age":1,"saved":true}"#,
            ]
        )
        let words = command == "open" ? ["open", "--print", "a.b:123"] : ["show", "a.b:123"]
        let run = Run(words, in: directory, socket: daemon.path, environment: [:])
        #expect(run.status == .found && run.output.contains("https://example.org/"), "\(run.errors)")
        if command == "show" { #expect(daemon.params(of: .lookup).allSatisfy { $0.contains("a.b:12345") }) }
    }

    @Test func `of very many candidates the first are listed`() throws {
        let items = (1...12).map { item("kakao.book:\($0)") }
        let error = #expect(throws: ClientError.self) { try found("kakao", in: items) }
        #expect(error?.message.hasSuffix(" and 7 more") == true)
    }

    @Test func `no more items are looked through than the limit`() throws {
        let items = Array(repeating: #"{"id":"a.b:x","title":"T"}"#, count: 1000).joined(separator: ",")
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [
                .libraryGet: ScriptedDaemon.failure("notFound", "No saved item has this id.", code: -32010),
                .libraryList: #"{"items":[\#(items)],"total":100000,"next":"1.1"}"#,
            ]
        )
        let run = Run("tag", "a.b:y", "x", in: directory, socket: daemon.path)
        #expect(run.status == .usage)
        #expect(run.errors == "searchctl: more than 10,000 saved items are from a.b. Give the whole id.\n")
        #expect(daemon.params(of: .libraryList).count == SavedBeginning.itemsMax / 1000)
    }

    @Test func `commands take a beginning of what is saved, and show the item`() throws {
        let library = try FakeLibrary(at: directory.file("socket"), [FakeLibrary.item("77"), item("c.d:1")])
        func run(_ words: String...) -> Run { Run(words, in: directory, socket: library.path) }
        #expect(run("open", "--print", "a.b").output == "https://a.example/77\n")
        #expect(run("open", "--print", "a.b:7").output == "https://a.example/77\n")
        let shown = run("show", "a.", "--plain")
        #expect(shown.output.hasPrefix("책 77\n") && shown.output.contains("saved   2026-11-01 19:00\n"))
        #expect(shown.output.hasSuffix("source  a.b, as it was saved\n"))
        #expect(run("show", "x").status == .nothingFound)
    }
}
