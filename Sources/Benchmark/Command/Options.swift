/// The command line of searchbench, after the name of the command.
struct Options {
    static let parts = ["load", "misses", "start", "library", "ranking"]
    static let usage = """
        usage: searchbench [load|misses|start|library|ranking]… [OPTION…]
               searchbench hostile --connections N --kills N [OPTION…]

        Compares searchd with Redis, a plain echo server and SQLite, all of them started privately. “load” measures cached
        searches: lines that mean the same and differ in bytes, windows nobody has asked for yet, and one identical line.
        “misses” measures the processor time of a search that is not in the cache, “start” starting and idling, “library”
        saving, searching and suggestions, “ranking” the merged order of judged searches. Without a name, all of them run.
        “hostile” attacks the daemon and says for each property whether it held.

          --against FILE       with “misses”: another searchd, measured in turns with the one under test
          --peers LIST         of redis,echo, or none (redis,echo)
          --connections LIST   connections of load (1,16,64,256)
          --rounds N           measurements of each server, in turns (5)
          --seconds S          duration of a measurement (1)
          --items N            items of the library (100000); half as many are suggested
          --programs DIR       where searchd, searchctl and searchd-sandbox are (beside searchbench)
          --strict             exit status 1 when a target is missed
          --help               this text

        Options of “hostile”:

          --connections N      attackers of each kind: 100 takes a minute, 1000 measures well (needed)
          --kills N            how often the daemon is killed; a tenth of it, but at least 10 times, while a library changes
                               (needed)
          --gates LIST         of \(Gate.allCases.map(\.rawValue).joined(separator: ",")) (all of them)
          --programs DIR       as above

        Exit status: 0 measured, or all held · 1 a target missed, or a property did not hold · 2 wrong usage · 70 a program
        failed or answered wrongly.
        """

    var chosen: [String] = []
    var against: String?
    var peers = ["redis", "echo"]
    /// Of load; or, as the only number, the attackers of each kind.
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
    /// Whether the gates measure, and do not only check that everything works.
    var isLong: Bool { attackers >= 1_000 }

    /// The most that a gate allows, in nanoseconds: a short run may share its processors, and finds only what hangs.
    func most(_ nanoseconds: Double) -> Double { isLong ? nanoseconds : max(2e9, 5 * nanoseconds) }

    /// Reads the arguments; the last of a repeated option counts.
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
            default: throw reader.refusal("\(name) is not a part or an option")
            }
        }
        guard isHelp || !isHostile || chosen.isEmpty && connections.count == 1 && kills > 0 else {
            throw reader.refusal("hostile needs --connections N and --kills N, and goes with no part")
        }
        if chosen.isEmpty, !isHostile { chosen = Self.parts }
    }
}

/// Reads arguments one by one; every error names the option and the values it takes.
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

    /// Some of the known words.
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
