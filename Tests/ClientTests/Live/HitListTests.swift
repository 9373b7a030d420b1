import JSON
import RPC
import SearchModel
import Testing

@testable import Client

struct HitListTests {
    private func hit(_ number: Int) throws -> JSONCursor {
        try SourceEntries.cursor(#"{"id":"a.b:\#(number)","source":"a.b","title":"\#(number)"}"#)
    }

    @Test func `it takes as many hits as it may, and not one more`() throws {
        let all = try (0...HitList.itemsMax).map(hit)
        var list = HitList()
        list.received(Array(all.dropLast()))
        #expect(list.isFull)
        list.received([all[HitList.itemsMax]])
        #expect(list.items.count == HitList.itemsMax)
        #expect(list.items.last?.id == ExactText("a.b:\(HitList.itemsMax - 1)"))
    }

    @Test func `what is scrolled to is in view, with as much before it as fits`() throws {
        var list = HitList()
        list.received(try (0..<10).map(hit))
        list.select(9)
        list.scroll(rows: 6, itemRows: 2)
        #expect(list.visible(rows: 6, itemRows: 2).map(\.index) == [7, 8, 9])
        list.select(0)
        list.scroll(rows: 6, itemRows: 2)
        #expect(list.visible(rows: 5, itemRows: 2).map(\.row) == [0, 2, 4])
        // On a screen without room for one, it is the one that is there.
        list.select(5)
        list.scroll(rows: 1, itemRows: 2)
        #expect(list.visible(rows: 1, itemRows: 2).map(\.index) == [5])
        list.scroll(rows: 0, itemRows: 2)
        #expect(list.visible(rows: 0, itemRows: 2).isEmpty)
    }

    @Test func `a hit that comes twice stands there once`() throws {
        var list = HitList()
        list.received([try hit(1), try hit(2), try hit(1)])
        list.beginMore()
        list.received([try hit(2), try hit(3)])
        list.finish(order: ["a.b:3"])
        #expect(list.items.map(\.id.text) == ["a.b:1", "a.b:2", "a.b:3"])
    }

    @Test func `what the answer does not name is left out, and may come again`() throws {
        var list = HitList()
        list.begin()
        list.received([try hit(1), try hit(2)])
        list.finish(order: ["a.b:2"])
        #expect(list.items.map(\.id.text) == ["a.b:2"])
        list.beginMore()
        list.received([try hit(1)])
        list.finish(order: ["a.b:1"])
        #expect(list.items.map(\.id.text) == ["a.b:2", "a.b:1"])
    }

    @Test func `earlier queries are kept up to the limit, each once, the latest first`() {
        var history = QueryHistory()
        for number in 0...QueryHistory.countMax { history.add("q\(number)") }
        #expect(history.queries.count == QueryHistory.countMax)
        history.add("q7")
        #expect(history.queries.first == "q7")
        #expect(history.queries.count { $0 == "q7" } == 1)
        history.add("")
        #expect(history.queries.first == "q7")
    }
}
