import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// `searchctl status`: how the daemon is doing, the health first.
enum StatusCommand {
    static let timeoutSeconds = 5

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let console = context.console
        let format = try OutputFormat.chosen(arguments)
        let style = Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal)
        return try Connector(arguments, context, starting: .own).withExchange { exchange throws(ClientError) in
            let deadline = Instant.now.advanced(by: .seconds(timeoutSeconds))
            let snapshot = try DaemonSnapshot(of: &exchange, until: deadline)
            let savedCount = try exchange.savedCount(id: DaemonSnapshot.idCount + 1, within: timeoutSeconds)
            let clock = context.clock
            let owner = DaemonOwner(daemonUser: snapshot.userID, path: exchange.path, userID: geteuid())
            let health = Health(of: snapshot, clock: clock)
            let layout = Layout(columns: console.columns)
            let lines =
                arguments.has(.allFigures)
                ? StatusText(layout: layout).lines(hello: snapshot.hello, stats: snapshot.stats)
                : StatusReport(
                    snapshot: snapshot,
                    savedCount: savedCount,
                    health: health,
                    owner: owner,
                    clock: clock,
                    layout: layout,
                    style: style
                ).lines
            try exchange.print(json: snapshot.json(health)[...], or: lines, as: format)
            return health.status
        }
    }
}

/// The options of `status`.
extension CommandOption {
    static let allFigures = CommandOption("all", help: "every figure of the daemon by its name")

    static let ofStatus = [allFigures] + ofReport
}

/// What a daemon says of itself at one moment: who it is, its figures, its sources.
struct DaemonSnapshot {
    let hello: JSONCursor
    let stats: JSONCursor
    /// The entries of `source/list` that can be in trouble: all but the caller's own data.
    let sources: [JSONCursor]

    private static let methods = [MethodName.hello, .stats, .sourceList]

    init(hello: JSONCursor, stats: JSONCursor, sources: [JSONCursor]) {
        self.hello = hello
        self.stats = stats
        self.sources = sources
    }

    /// Asks for all of it at once; the ids of the requests begin at `firstID`.
    init(of exchange: inout DaemonConnection, until deadline: Instant, firstID: Int = 1) throws(ClientError) {
        for (index, method) in Self.methods.enumerated() {
            try exchange.send(line: RequestLine.request(firstID + index, method))
        }
        var results: [Int: JSONCursor] = [:]
        // They may come in any order.
        while results.count < Self.methods.count {
            let (id, result) = try exchange.nextResult(until: deadline)
            results[id - firstID] = result
        }
        guard let hello = results[0], let stats = results[1], let sources = results[2]?[.sources]?.elements else {
            throw ClientError(.protocolViolated, "searchd answered a request that was not made")
        }
        self.init(hello: hello, stats: stats, sources: sources.filter { $0[.local]?.bool != true })
    }

    /// The daemon's user; nil when it does not tell.
    var userID: UInt32? { hello[.uid]?.int.flatMap { UInt32(exactly: $0) } }

    /// How many request ids one takes.
    static var idCount: Int { methods.count }
    /// How many of its own requests the figures count already.
    static let countedInStats = methods.prefix { $0 != .stats }.count + 1

    /// All of it as one document: the members of `server/stats`, and `health`, `server`, `sources` on top.
    func json(_ health: Health) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.health, health.word)
            writer.name(.server)
            writer.raw(hello.text)
            stats.forEachMember { name, value in
                writer.name(name)
                writer.raw(value.text)
            }
            writer.array(.sources) { writer in
                for source in sources { writer.raw(source.text) }
            }
        }
    }
}
