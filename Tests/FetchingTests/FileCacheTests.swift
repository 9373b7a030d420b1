import EventLoop
import Testing

@testable import Fetching

@Suite struct FileCacheTests {
    private var file: FetchedFile {
        FetchedFile(url: "", type: "", text: [], byteCount: 0, fetchedAt: Instant(nanoseconds: 0))
    }

    @Test func `the cache evicts unused files first, and keeps no file longer than a day`() {
        let day = FileCache<Int>.ttl
        var cache = FileCache<Int>(bytesMax: 3 * file.bytesUsed)
        func at(_ time: Duration) -> Instant { Instant(nanoseconds: 0).advanced(by: time) }
        for key in 1...3 { cache.insert(file, under: key) }
        #expect(cache.value(1, maxAge: nil, at: at(.zero)) != nil)
        cache.insert(file, under: 4)
        #expect([1, 2, 3, 4].map { cache.value($0, maxAge: nil, at: at(.zero)) != nil } == [true, false, true, true])
        #expect(cache.value(1, maxAge: .seconds(5), at: at(.seconds(5))) == nil)
        cache.resize(to: file.bytesUsed)
        #expect([1, 3, 4].count { cache.value($0, maxAge: nil, at: at(.zero)) != nil } == 1)
        cache.insert(file, under: 5)
        #expect(cache.value(5, maxAge: nil, at: at(day - .nanoseconds(1))) != nil)
        #expect(cache.value(5, maxAge: .seconds(1_000_000), at: at(day)) == nil)
    }
}
