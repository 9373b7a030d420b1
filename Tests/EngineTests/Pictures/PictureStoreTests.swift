import EventLoop
import JSON
import Testing

@testable import Engine

@Suite struct PictureStoreTests {
    private let start = Instant(nanoseconds: 0)
    private let memory = PageMemory()

    private func picture(_ bytes: Int = 4096, at instant: Instant? = nil) -> Picture {
        Picture(
            .png,
            text: [UInt8](repeating: 65, count: bytes),
            byteCount: bytes,
            fetchedAt: instant ?? start,
            memory: memory
        )
    }

    private func key(_ number: Int) -> PictureKey { PictureKey(ExactText("https://a.example/\(number)"), .open) }

    @Test func `what is kept is there, on its own terms alone`() {
        var store = PictureStore(cacheBytesMax: 1 << 20)
        let kept = picture()
        store.insert(kept, under: key(1))
        #expect(store.picture(key(1), at: start) === kept)
        #expect(store.picture(PictureKey(ExactText("https://a.example/1"), .home), at: start) == nil)
        #expect(store.picture(key(2), at: start) == nil)
        #expect(store.figures.entries == 1 && store.figures.hits == 1 && store.figures.misses == 1)
        #expect(store.figures.bytes == kept.bytesUsed && memory.bytes == kept.bytesUsed)
        store.removeAll()
        #expect(store.picture(key(1), at: start) == nil)
        #expect(store.figures.bytes == 0 && store.figures.entries == 0)
    }

    @Test func `it takes a quarter of the cache, and what was not used goes first`() {
        // One under several keys: of two, the allocator may give one a little more room.
        let one = picture()
        let each = one.bytesUsed
        var store = PictureStore(cacheBytesMax: 4 * (3 * each))
        for number in 1...3 { store.insert(one, under: key(number)) }
        #expect(store.figures.entries == 3 && store.figures.evictions == 0 && store.figures.bytes == store.limit)
        _ = store.picture(key(1), at: start)
        store.insert(one, under: key(4))
        #expect(store.figures.entries == 3 && store.figures.evictions == 1)
        #expect(store.picture(key(1), at: start) != nil && store.picture(key(2), at: start) == nil)
        store.resize(cacheBytesMax: 4 * each)
        #expect(store.figures.entries == 1 && store.figures.bytes == each)
        #expect(memory.bytes == each)
    }

    @Test func `one that fills the whole bound is kept, one byte more is not`() {
        let one = picture()
        var store = PictureStore(cacheBytesMax: 4 * one.bytesUsed)
        store.insert(one, under: key(1))
        #expect(store.figures.entries == 1)
        store.resize(cacheBytesMax: 4 * (one.bytesUsed - 1))
        #expect(store.figures.entries == 0)
        store.insert(one, under: key(1))
        #expect(store.figures.entries == 0 && store.figures.bytes == 0)
    }

    @Test func `it is good for a day`() {
        var store = PictureStore(cacheBytesMax: 1 << 20)
        store.insert(picture(), under: key(1))
        let end = start.advanced(by: PictureStore.freshFor)
        #expect(store.picture(key(1), at: end.advanced(by: .nanoseconds(-1))) != nil)
        #expect(store.picture(key(1), at: end) == nil)
        #expect(store.figures.entries == 0 && store.figures.bytes == 0)
    }
}
