/// The command line of searchbench.
struct Options {
    static let parts = ["load", "misses", "start", "library"]
    static let usage = """
        usage: searchbench [load|misses|start|library]… [OPTION…]
               searchbench hostile --connections N --kills N [OPTION…]

        Compares searchd with Redis, and starts these servers itself.

          load       measures cached searches per second
          misses     measures the processor time of a search that is not cached
          start      measures the start time, and the cost of an idle server
          library    measures saving, searching and suggestions
          hostile    attacks the daemon and checks that it still meets its limits

        If no name is given, all parts except hostile run.

        Options:

          --against FILE       another searchd to compare with (misses)
          --alone              without Redis (load, start)
          --connections LIST   numbers of connections (load; default 1,16,64,256)
          --rounds N           measurements of each server, which alternate (default 5)
          --seconds S          duration of a measurement (default 1)
          --items N            items in the library; suggestions use half of them (default 100000)
          --programs DIR       directory of searchd, searchctl and searchd-sandbox (default: that of searchbench)
          --strict             exit with status 1 if a target is missed
          --help               show this help

        Options of hostile:

          --connections N      attackers of each kind (required); 100 takes a minute, 1000 gives reliable figures
          --kills N            number of kills of the daemon (required); the library gate uses a tenth, but at least 10
          --gates LIST         some of \(Gate.allCases.map(\.rawValue).joined(separator: ",")) (default: all)
          --programs DIR       as above

        Exit status: 0 success, 1 a target was missed or a limit was exceeded, 2 wrong usage, 70 a program failed or gave
        a wrong answer.
        """

    var chosen: [String] = []
    var against: String?
    var isAlone = false
    /// The connections of load; for hostile, one number: the attackers of each kind.
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

    /// How a report describes its figures.
    var roundsNote: String { "medians of \(rounds) rounds of \(seconds) s; extremes in brackets" }

    var attackers: Int { connections[0] }
    /// Whether the run is long enough for strict limits.
    var isLong: Bool { attackers >= 1_000 }

    /// Returns the time limit of a gate in nanoseconds, which is larger in a short run.
    func limit(_ nanoseconds: Double) -> Double { isLong ? nanoseconds : max(2e9, 5 * nanoseconds) }

    /// Parses the arguments, of which the last value of a repeated option is used.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            func value() throws -> String {
                guard let value = rest.popFirst(), !value.isEmpty else { throw Self.refusal("\(name) needs a value") }
                return value
            }
            func list() throws -> [String] {
                try value().split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
            func number<Value: LosslessStringConvertible & Comparable>(
                _ text: String,
                _ range: ClosedRange<Value>
            ) throws -> Value {
                guard let value = Value(text), range.contains(value) else {
                    let bounds = "\(range.lowerBound) to \(range.upperBound)"
                    throw Self.refusal("\(name) takes a number from \(bounds), not \(text)")
                }
                return value
            }
            switch name {
            case _ where Self.parts.contains(name): chosen.append(name)
            case "hostile": isHostile = true
            case "--against": against = try value()
            case "--alone": isAlone = true
            case "--connections": connections = try list().map { try number($0, 1...4_000) }
            case "--rounds": rounds = try number(value(), 1...1_000)
            case "--seconds": seconds = try number(value(), 0.01...600)
            case "--items": items = try number(value(), 1_000...100_000)
            case "--kills": kills = try number(value(), 1...1_000_000)
            case "--gates":
                gates = try list().map { word in
                    guard let gate = Gate(rawValue: word) else { throw Self.refusal("there is no gate \(word)") }
                    return gate
                }
            case "--programs": programs = try value()
            case "--strict": isStrict = true
            case "--help", "-h": isHelp = true
            default: throw Self.refusal("unknown part or option \(name)")
            }
        }
        guard isHelp || !isHostile || chosen.isEmpty && connections.count == 1 && kills > 0 else {
            throw Self.refusal("hostile needs --connections N and --kills N, and cannot be combined with other parts")
        }
        if chosen.isEmpty, !isHostile { chosen = Self.parts }
    }

    private static func refusal(_ message: String) -> BenchmarkError {
        BenchmarkError(message, hint: "searchbench --help lists the options", isUsage: true)
    }
}
