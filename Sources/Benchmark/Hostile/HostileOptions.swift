/// The options of `searchbench hostile`.
struct HostileOptions: Equatable, Sendable {
    /// The gates, in the order in which they run.
    enum Part: String, CaseIterable, Sendable {
        case lines
        case abusers
        case memory
        case latency
        case fairness
        case kills
        case library
        case upstream
        case access
    }

    static let connectionsMax = 4_000
    static let killsMax = 1_000_000

    static let usage = """
        usage: searchbench hostile [OPTION…]

        Attacks a private searchd as hostile clients, upstreams and crashes would, and reports for each property whether
        it held, with the measurements.

          --connections N   attackers of each kind (1000)
          --kills N         how often the daemon is killed (10000); a tenth of it while a library is changed
          --part LIST       of lines,abusers,memory,latency,fairness,kills,library,upstream,access (all of them)
          --programs DIR    where searchd and searchd-sandbox are (beside searchbench)
          --help            this text

        Exit status: 0 all held · 1 something did not · 2 wrong usage · 70 it could not be tried.
        """

    var parts = Part.allCases
    var connections = 1_000
    var kills = 10_000
    var programs: String?
    var help = false

    /// Reads the arguments behind `hostile`; the last of a repeated option counts.
    init(arguments: [String] = []) throws(BenchmarkError) {
        var reader = ArgumentReader(arguments)
        while let name = reader.next() {
            switch name {
            case "--connections": connections = try reader.number(after: name, 1...Self.connectionsMax)
            case "--kills": kills = try reader.number(after: name, 1...Self.killsMax)
            case "--part": parts = try reader.list(after: name, of: Part.allCases)
            case "--programs": programs = try reader.value(after: name)
            case "--help", "-h": help = true
            default: throw reader.refusal("hostile knows no \(name)")
            }
        }
    }

    /// Whether the run is long enough to measure well, not only to check that everything works.
    var isLong: Bool { connections >= 1_000 }
}
