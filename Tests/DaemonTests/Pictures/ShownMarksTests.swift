import Engine
import Testing

@testable import Daemon

@Suite struct ShownMarksTests {
    private func mark(_ number: Int) -> PictureMark { PictureMark("https://a.example/\(number)", .open) }

    @Test func `the latest are there, and twice as many at most`() {
        let half = ShownMarks.halfMax
        var marks = ShownMarks()
        for number in 0..<half - 1 { marks.insert(mark(number)) }
        #expect(marks.edition == 0)
        marks.insert(mark(half - 1))
        #expect(marks.edition == 1 && marks.contains(mark(0)) && marks.contains(mark(half - 1)))
        for number in half..<2 * half - 1 { marks.insert(mark(number)) }
        #expect(marks.edition == 1 && marks.contains(mark(0)))
        marks.insert(mark(2 * half - 1))
        #expect(marks.edition == 2 && !marks.contains(mark(0)) && !marks.contains(mark(half - 1)))
        #expect(marks.contains(mark(half)) && marks.contains(mark(2 * half - 1)))
    }

    @Test func `what is shown again lasts as if it were new`() {
        let half = ShownMarks.halfMax
        var marks = ShownMarks()
        for number in 0..<half { marks.insert(mark(number)) }
        marks.insert(mark(0))
        for number in half..<2 * half - 1 { marks.insert(mark(number)) }
        #expect(marks.edition == 2 && marks.contains(mark(0)) && !marks.contains(mark(1)))
    }

    @Test func `a mark is of an address, its terms and its privacy`() {
        let mark = PictureMark("https://a.example/", .open)
        #expect(mark == PictureMark("https://a.example/", .open))
        #expect(mark != PictureMark("https://a.example/", .home))
        #expect(mark != mark.ofPrivateSearch)
        // Canonically equal, and another address.
        #expect(PictureMark("https://a.example/\u{E9}", .open) != PictureMark("https://a.example/e\u{301}", .open))
    }
}
