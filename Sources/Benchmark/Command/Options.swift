/// The command line of searchbench.
struct Options {
    static let parts = ["load", "misses", "start", "library", "ranking"]
    static let usage = """
        usage: searchbench [load|misses|start|library|ranking]… [OPTION…]
               searchbench hostile --connections N --kills N [OPTION…]

        Compares searchd with Redis, a plain echo server and SQLite, and starts these servers itself.

          load       measures cached searches per second
          misses     measures the processor time of a search that is not cached
          start      measures the start time, and the cost of an idle server
          library    measures saves, searches and suggestions in a library
          ranking    measures the order of merged results with judged searches
          hostile    attacks the daemon and checks that it still meets its limits

        By default, all parts except hostile run.

        Options:

          --against FILE       another searchd to compare with (misses)
          --peers LIST         servers to compare with: redis, echo or none (default redis,echo)
          --connections LIST   numbers of connections (load; default 1,16,64,256)
          --rounds N           measurements of each server, in alternation (default 5)
          --seconds S          duration of a measurement (default 1)
          --items N            items in the library; suggestions use half of them (default 100000)
          --programs DIR       directory of searchd, searchctl and searchd-sandbox (default: that of searchbench)
          --strict             exit with status 1 if a target is missed
          --help               show this help

        Options of hostile:

          --connections N      number of attackers (required); 100 take a minute, 1000 give reliable figures
          --kills N            kills of the daemon (required); in library, a tenth of N, but at least 10
          --gates LIST         attacks to run: \(Gate.allCases.map(\.rawValue).joined(separator: ",")) (default: all)
          --programs DIR       as above

        Exit status: 0 success, 1 a target was missed (with --strict) or a limit was exceeded (hostile), 2 wrong usage,
        70 a program failed or gave a wrong answer.
        """

    var chosen: [String] = []
    var against: String?
    var peers = ["redis", "echo"]
    /// The numbers of connections that `load` measures, or the number of attackers of `hostile`.
    var connections = [1, 16, 64, 256]
    var rounds = 5
    var seconds = 1.0
    var items = 100_000
    var programs: String?
    var isStrict = false
    var isHelp = false
    var isHostile = false
    var gates = Gate.allCases
    var kills = 0

    var attackers: Int { connections[0] }
    var isLong: Bool { attackers >= 1_000 }

    /// In a short run, a limit is ten times as large, and at least 5 s.
    func limit(_ nanoseconds: Double) -> Double { isLong ? nanoseconds : max(5e9, 10 * nanoseconds) }

    init(_ arguments: [String]) throws {
        var reader = ArgumentReader(arguments)
        while let name = reader.next() {
            switch name {
            case _ where Self.parts.contains(name): chosen.append(name)
            case "hostile": isHostile = true
            case "--against": against = try reader.value(after: name)
            case "--peers": peers = try reader.list(after: name, of: ["redis", "echo", "none"])
            case "--connections":
                connections = try reader.words(after: name).map { try reader.number($0, of: name, 1...4_000) }
            case "--rounds": rounds = try reader.number(after: name, 1...1_000)
            case "--seconds": seconds = Double(try reader.decimal(after: name, 0.01...600))
            case "--items": items = try reader.number(after: name, 1_000...100_000)
            case "--kills": kills = try reader.number(after: name, 1...1_000_000)
            case "--gates":
                let words = try reader.list(after: name, of: Gate.allCases.map(\.rawValue))
                gates = Gate.allCases.filter { words.contains($0.rawValue) }
            case "--programs": programs = try reader.value(after: name)
            case "--strict": isStrict = true
            case "--help", "-h": isHelp = true
            default: throw reader.refusal("unknown part or option \(name)")
            }
        }
        guard isHelp || !isHostile || chosen.isEmpty && connections.count == 1 && kills > 0 else {
            throw reader.refusal("hostile needs --connections N and --kills N, and cannot be combined with other parts")
        }
        if chosen.isEmpty, !isHostile { chosen = Self.parts }
    }
}

struct ArgumentReader {
    private var rest: ArraySlice<String>

    init(_ arguments: [String]) { rest = arguments[...] }

    mutating func next() -> String? { rest.popFirst() }

    mutating func value(after name: String) throws -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw refusal("\(name) needs a value") }
        return value
    }

    mutating func words(after name: String) throws -> [String] {
        try value(after: name).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    mutating func list(after name: String, of known: [String]) throws -> [String] {
        let words = try words(after: name)
        guard words.allSatisfy(known.contains) else {
            throw refusal("\(name) takes some of \(known.joined(separator: ","))")
        }
        return words
    }

    mutating func number(after name: String, _ range: ClosedRange<Int>) throws -> Int {
        try number(value(after: name), of: name, range)
    }

    mutating func decimal(after name: String, _ range: ClosedRange<Double>) throws -> Double {
        let text = try value(after: name)
        guard let value = Double(text), range.contains(value) else {
            throw refusal("\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return value
    }

    func number(_ text: String, of name: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw refusal("\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return value
    }

    func refusal(_ message: String) -> BenchmarkError {
        BenchmarkError(message, hint: "searchbench --help lists the options", isUsage: true)
    }
}
