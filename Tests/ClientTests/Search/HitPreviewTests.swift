import EventLoop
import Testing

@testable import Client

struct HitPreviewTests {
    private let early = Instant(nanoseconds: 0)
    private let late = Instant(nanoseconds: 1)

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `hits wait for their moment, then come at once`() {
        var preview = HitPreview(linesMax: 10, appearsAt: late)
        #expect(preview.dueAt == nil)
        preview.add(["a\n", "b\n"])
        let before = preview.text(at: early)
        #expect(before == [] && preview.dueAt == late)
        let shown = preview.text(at: late)
        #expect(text(shown) == "a\nb\n" && preview.dueAt == nil)
        preview.add(["c\n"])
        let more = preview.text(at: late)
        #expect(text(more) == "c\n")
        let takenBack = [preview.takeBack(), preview.takeBack()].map(text)
        #expect(takenBack == ["\u{1B}[3A\r\u{1B}[J", ""])
    }

    @Test func `no more hits are shown than there is room for`() {
        var preview = HitPreview(linesMax: 2, appearsAt: early)
        preview.add(["a\n"])
        var shown = text(preview.text(at: early))
        preview.add(["b\n", "c\n"])
        shown += text(preview.text(at: early))
        preview.add(["d\n"])
        shown += text(preview.text(at: early))
        #expect(shown == "a\nb\n" && preview.dueAt == nil)
        let takenBack = text(preview.takeBack())
        #expect(takenBack == "\u{1B}[2A\r\u{1B}[J")
    }

    @Test func `what was never shown is not taken back`() {
        var preview = HitPreview(linesMax: 0, appearsAt: early)
        preview.add(["a\n"])
        let texts = [preview.text(at: early), preview.takeBack()]
        #expect(texts == [[], []] && preview.dueAt == nil)
    }
}
