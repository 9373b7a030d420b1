import TestSupport
import Testing

@testable import Engine

@Suite("A shelf")
struct InPlaceDictionaryTests {
    @Test func `does what a dictionary does`() {
        var random = SeededGenerator(seed: testSeed())
        var shelf = InPlaceDictionary<String, [Int]>()
        var dictionary: [String: [Int]] = [:]
        for step in 0..<2000 {
            let key = "\(Int.random(in: 0..<9, using: &random))"
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                shelf[key] = [step]
                dictionary[key] = [step]
            case 1:
                shelf[key] = nil
                dictionary[key] = nil
            default:
                // Nothing where there is nothing.
                shelf[key]?.append(step)
                dictionary[key]?.append(step)
            }
            #expect(shelf[key] == dictionary[key])
            #expect(Set(shelf.keys) == Set(dictionary.keys) && shelf.keys.count == dictionary.count)
            #expect(Set(shelf.values) == Set(dictionary.values))
        }
    }

    @Test func `has a value of its own for each copy`() {
        var shelf = InPlaceDictionary<String, [Int]>()
        shelf["a"] = [1]
        let copy = shelf
        shelf["a"]?.append(2)
        #expect(shelf["a"] == [1, 2])
        #expect(copy["a"] == [1])
    }
}
