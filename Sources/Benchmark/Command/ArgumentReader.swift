/// Reads arguments one by one; every error names the option and the values it takes.
struct ArgumentReader {
    private var rest: ArraySlice<String>

    init(_ arguments: [String]) {
        rest = ArraySlice(arguments)
    }

    mutating func next() -> String? {
        rest.popFirst()
    }

    mutating func value(after name: String) throws(BenchmarkError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw refusal("\(name) needs a value") }
        return value
    }

    mutating func number(after name: String, _ range: ClosedRange<Int>) throws(BenchmarkError) -> Int {
        try Self.number(value(after: name), of: name, range)
    }

    mutating func numbers(after name: String, _ range: ClosedRange<Int>) throws(BenchmarkError) -> [Int] {
        try words(after: name).map { word throws(BenchmarkError) in try Self.number(word, of: name, range) }
    }

    mutating func decimal(after name: String, _ range: ClosedRange<Double>) throws(BenchmarkError) -> Double {
        let text = try value(after: name)
        guard let value = Double(text), range.contains(value) else {
            throw Self.refusal("\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return value
    }

    /// The values of these options, all of which are needed, in the order of their names.
    mutating func values(of names: [String], for program: String) throws(BenchmarkError) -> [String] {
        var found: [String: String] = [:]
        while let name = next() {
            guard names.contains(name) else { throw refusal("\(program) knows no \(name)") }
            found[name] = try value(after: name)
        }
        let values = names.compactMap { found[$0] }
        guard values.count == names.count else {
            throw refusal("\(program) needs \(names.joined(separator: " and "))")
        }
        return values
    }

    /// Some of the known words, each once.
    mutating func list<Word: RawRepresentable<String> & Equatable>(
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

    func refusal(_ message: String) -> BenchmarkError {
        Self.refusal(message)
    }

    private static func refusal(_ message: String) -> BenchmarkError {
        BenchmarkError(.usage, message, hint: "searchbench --help shows the options")
    }

    private mutating func words(after name: String) throws(BenchmarkError) -> [String] {
        try value(after: name).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    static func number(
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
