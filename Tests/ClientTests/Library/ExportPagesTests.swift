import JSON
import Testing

@testable import Client

/// The walk of an export through a library that may change meanwhile.
struct ExportPagesTests {
    /// A library whose latest item is listed first.
    private struct Library {
        var ids: [Int]
        /// No page is longer.
        var pageItemsMax = 1000

        func page(_ offset: Int, _ limit: Int) throws -> JSONCursor {
            let ids = ids.dropFirst(offset).prefix(min(limit, pageItemsMax))
            let items = ids.map { #"{"id":"a.b:\#($0)"}"# }.joined(separator: ",")
            return try JSONDocument(Array(#"{"items":[\#(items)],"total":\#(self.ids.count)}"#.utf8)).root
        }
    }

    /// What an export writes while `change` changes the library before each request.
    private func exported(_ library: Library, change: (Int, inout Library) -> Void = { _, _ in }) throws -> [String] {
        var (library, pages, ids, asked) = (library, ExportPages(), [String](), 0)
        while let (offset, limit) = pages.next {
            asked += 1
            try #require(asked < 200, "the walk does not end")
            change(asked, &library)
            ids += try pages.received(library.page(offset, limit)).compactMap { $0["id"]?.string }
        }
        return ids
    }

    private func names(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "a.b:\($0)" } }

    @Test(arguments: [0, 1, 2, ExportPages.itemsMax, ExportPages.itemsMax + 1, 3 * ExportPages.itemsMax])
    func `every item is written once, the oldest first`(count: Int) throws {
        let library = Library(ids: Array((0..<count).reversed()))
        #expect(try exported(library) == names(0..<count))
    }

    @Test func `pages that are cut where they have too many bytes are asked for in smaller parts`() throws {
        for pageItemsMax in [2, 3, 16] {
            let library = Library(ids: Array((0..<40).reversed()), pageItemsMax: pageItemsMax)
            #expect(try exported(library) == names(0..<40))
        }
    }

    @Test func `what is saved meanwhile comes at the end`() throws {
        let library = Library(ids: Array((0..<1200).reversed()))
        let ids = try exported(library) { asked, library in
            if asked == 3 { library.ids.insert(1200, at: 0) }
        }
        #expect(ids == names(0..<1201))
    }

    @Test func `what was removed before it was written is not written, and what was written stays so`() throws {
        let library = Library(ids: Array((0..<1200).reversed()))
        // The latest is taken away before it is reached.
        let ids = try exported(library) { asked, library in if asked == 3 { library.ids.removeFirst() } }
        #expect(ids == names(0..<1199))
        // Of those that are written already, one goes: the rest is not where it was.
        #expect(throws: ClientError.self) {
            try exported(library) { asked, library in if asked == 3 { library.ids.removeLast() } }
        }
    }

    @Test func `a library that changes at every request ends the walk`() throws {
        #expect(throws: ClientError.self) {
            try exported(Library(ids: [1, 0])) { asked, library in library.ids.insert(asked + 1, at: 0) }
        }
    }
}
