import EventLoop
import Glibc
import SearchModel
import Testing

@testable import Engine

/// What the cache says it holds, beside what the process really takes.
///
/// Each runs in a process of its own: other tests would grow the same one.
struct MemoryTests {
    @Test func `thousands of pages take what is counted for them`() async {
        await #expect(processExitsWith: .success) { check(pages: 1500, hits: 30, upTo: 1.1) }
    }

    @Test func `tens of thousands of empty pages take what is counted for them`() async {
        await #expect(processExitsWith: .success) { check(pages: 30_000, hits: 0, upTo: 1.3) }
    }

    @Test func `pages that drive out others take no more than the bound`() async {
        await #expect(processExitsWith: .success) {
            let before = residentBytes()
            var store = PageStore(bytesMax: 32 << 20)
            for number in 0..<2000 { store.insert(madePage(number, hits: number % 60)) }
            let grown = residentBytes() - before
            #expect(store.figures.evictions > 300)
            #expect(Double(grown) < Double(32 << 20) * 1.25, "\(grown) bytes")
        }
    }
}

/// Fills a store and compares the bytes it counts with those the process has grown by.
private func check(pages: Int, hits: Int, upTo most: Double) {
    // The first ones pay for what is made only once.
    var store = PageStore(bytesMax: .max)
    for number in 0..<100 { store.insert(madePage(1_000_000 + number, hits: hits)) }
    let (before, counted) = (residentBytes(), store.figures.bytes)
    for number in 0..<pages { store.insert(madePage(number, hits: hits)) }
    let ratio = Double(store.figures.bytes - counted) / Double(residentBytes() - before)
    #expect(store.figures.entries == pages + 100)
    #expect(ratio >= 0.9 && ratio <= most, "counted is \(ratio) of what was taken")
}

/// A page of its own query, with hits like those of a source, and their documents.
private func madePage(_ number: Int, hits: Int) -> CachedPage {
    let hits = (0..<hits).map { index in
        var hit = hit("kakao.blog", number * 100 + index, title: "\(number)번 고양이와 함께 사는 \(index)번째 방법")
        hit.snippet = String(repeating: "고양이 사료를 고르는 방법과 그 밖의 이야기 \(index) ", count: 4)
        hit.url = "https://blog.example/\(number)/\(index)"
        hit.raw =
            Array(#"{"title":"\#(hit.title)","contents":"\#(hit.snippet ?? "")","url":"\#(hit.url ?? "")"}"#.utf8)[...]
        return hit
    }
    return cachedPage(Page(hits: hits, total: 100, isEnd: false), key: pageKey("kakao.blog", query: "질문 번호 \(number)"))
}

/// The memory of this process that is in use.
private func residentBytes() -> Int {
    // A few numbers on one line, for which the buffer is long enough.
    var buffer = [CChar](repeating: 0, count: 256)
    // The path lives through the call.
    let file = unsafe open("/proc/self/statm", O_RDONLY)
    defer { close(file) }
    // No more is read than the buffer holds.
    let count = unsafe read(file, &buffer, buffer.count - 1)
    guard count > 0 else { return 0 }
    let words = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
