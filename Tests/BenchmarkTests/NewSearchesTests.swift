import SearchModel
import Testing

@testable import Benchmark

@Suite struct NewSearchesTests {
    @Test func `none is like another`() {
        var seen: Set<String> = []
        for number in 0..<NewSearches.count {
            #expect(seen.insert("\(NewSearches.query(number)) \(NewSearches.page(number))").inserted)
        }
        #expect(seen.count > 100_000)
    }

    @Test func `each asks for two different words`() {
        for number in 0..<NewSearches.count / 8 {
            let words = NewSearches.query(number).split(separator: " ")
            #expect(words.count == 2 && words.first != words.last)
        }
    }
}
