/// Takes arguments one by one; every refusal names the option and what would be right.
package struct ArgumentReader {
    private var rest: ArraySlice<String>

    package init(_ arguments: [String]) {
        rest = ArraySlice(arguments)
    }

    package mutating func next() -> String? {
        rest.popFirst()
    }

    package mutating func value(after name: String) throws(BenchmarkError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw refusal("\(name) needs a value") }
        return value
    }

    package mutating func number(after name: String, _ range: ClosedRange<Int>) throws(BenchmarkError) -> Int {
        try Self.number(value(after: name), of: name, range)
    }

    package mutating func numbers(after name: String, _ range: ClosedRange<Int>) throws(BenchmarkError) -> [Int] {
        try words(after: name).map { word throws(BenchmarkError) in try Self.number(word, of: name, range) }
    }

    package mutating func decimal(after name: String, _ range: ClosedRange<Double>) throws(BenchmarkError) -> Double {
        let text = try value(after: name)
        guard let value = Double(text), range.contains(value) else {
            throw Self.refusal("\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return value
    }

    /// Some of the known words, each once.
    package mutating func list<Word: RawRepresentable<String> & Equatable>(
        after name: String,
        of known: [Word]
    ) throws(BenchmarkError) -> [Word] {
        let words = try words(after: name)
        let chosen = known.filter { words.contains($0.rawValue) }
        guard chosen.count == words.count else {
            throw refusal("\(name) takes some of \(known.map(\.rawValue).joined(separator: ","))")
        }
        return chosen
    }

    package func refusal(_ message: String) -> BenchmarkError {
        Self.refusal(message)
    }

    private static func refusal(_ message: String) -> BenchmarkError {
        BenchmarkError(.usage, message, hint: "searchbench --help shows the options")
    }

    private mutating func words(after name: String) throws(BenchmarkError) -> [String] {
        try value(after: name).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func number(
        _ text: String,
        of name: String,
        _ range: ClosedRange<Int>
    ) throws(BenchmarkError) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw refusal("\(name) takes whole numbers from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return value
    }
}
