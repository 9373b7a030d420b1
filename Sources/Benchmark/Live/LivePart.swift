import EventLoop
import Glibc
import JSON

/// What `searchctl live` costs at its terminal: a keystroke beside fzf's, its start beside a ping's, its memory at the
/// end of a long list, and its sleep.
enum LivePart {
    /// After a key, a program that shows nothing more for so long has shown all.
    private static let quiet = Duration.milliseconds(100)
    private static let settling = Duration.seconds(1)
    /// Its hits have no pictures, which would come after the answer.
    private static let source = "kakao.web"
    /// In the bottom line, which is drawn last.
    private static let bottom = "help"
    private static let clear = "\u{15}"
    private static let interrupt = "\u{3}"
    /// How many hits are scrolled through, at most how long that may take, and how many the end is pressed between
    /// looks.
    static let hitsScrolled = 10_000
    private static let scrollingSecondsMax: Int64 = 300
    private static let ends = 8

    /// Of one keystroke: nanoseconds until the last byte of what it changed, and how many bytes that was.
    struct Keystroke {
        let nanoseconds: Double
        let bytes: Int
    }

    /// What was measured.
    struct Figures {
        var live: [Keystroke] = []
        var fzf: [Keystroke] = []
        var starts: [Double] = []
        var pings: [Double] = []
        var wakeUps = 0
        var scrolled = (hits: 0, residentBytes: 0)
        /// Calls to the source while everything typed was cached.
        var calls = 0
    }

    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        guard options.peers.contains(.searchd), let sandbox = factory.sandbox else { return [] }
        let peer = try factory.start(.searchd)
        progress("live: filling the cache")
        let list = try TemporaryDirectory()
        try SystemCall.write(lines(of: peer), to: "\(list.path)/list")
        var figures = Figures()
        progress("live: keystrokes, and fzf's, in turns")
        try type(into: &figures, options, factory, peer, list: "\(list.path)/list", sandbox)
        progress("live: starts and pings, \(options.starts) times each")
        for _ in 0..<options.starts {
            figures.pings.append(try ping(factory, peer))
            figures.starts.append(try start(factory, peer))
        }
        progress("live: a list of \(hitsScrolled) hits to its end")
        figures.scrolled = try scroll(factory, peer)
        return [LiveReport.section(figures, options)]
    }

    // MARK: What is searched

    /// Fills the cache with all that will be typed; what it brings, as lines for a filter.
    private static func lines(of peer: Peer) throws(BenchmarkError) -> [UInt8] {
        let talk = try Dialogue(peer.socketPath)
        var lines: [UInt8] = []
        for text in TypedTexts.beginnings {
            let params = #"{"query":"\#(text)","sources":["\#(source)"],"limit":60,"history":false}"#
            var isCached = false
            while !isCached {
                try talk.send(Wire.request(1, "search", params))
                let line = try talk.frame(.line)
                guard let answer = try? JSONDocument(line).root else {
                    throw peer.process.failure(
                        "answered a search with \(String(decoding: line.prefix(200), as: UTF8.self))"
                    )
                }
                let source = answer["result"]?["sources"]?[0]
                if answer["result"] == nil || source?["status"]?.string != "ok" { SystemCall.pause(.milliseconds(200)) }
                guard source?["cache"]?.string == "hit" else { continue }
                isCached = true
                for hit in answer["result"]?["hits"]?.value.array ?? [] {
                    let words = [hit["title"], hit["snippet"], hit["url"]].compactMap { $0?.string }
                    lines += (words.joined(separator: "  ") + "\n").utf8
                }
            }
        }
        return lines
    }

    // MARK: Keystrokes

    private static func type(
        into figures: inout Figures,
        _ options: Options,
        _ factory: PeerFactory,
        _ peer: Peer,
        list: String,
        _ sandbox: SandboxServer
    ) throws(BenchmarkError) {
        let live = try launch(factory, live(factory, peer, ["-s", source]))
        let fzf = try launch(
            factory,
            Command(program: "sh", arguments: ["-c", "exec fzf --no-mouse <\"$1\"", "sh", list])
        )
        _ = try live.shown(quietFor: quiet, until: bottom)
        _ = try fzf.shown(quietFor: quiet, until: ">")
        for program in [live, fzf] {
            _ = try program.shown(quietFor: settling)
            // Nothing is measured that comes for the first time.
            _ = try keystrokes(in: program)
        }
        let before = try sandbox.requests()
        for _ in 0..<options.rounds {
            figures.live += try keystrokes(in: live)
            figures.fzf += try keystrokes(in: fzf)
        }
        figures.calls = try sandbox.requests() - before
        _ = try live.shown(quietFor: settling)
        let sleeps = try live.process.figures.voluntarySwitches()
        SystemCall.pause(options.idling)
        figures.wakeUps = try live.process.figures.voluntarySwitches() - sleeps
    }

    /// Types every text key by key, and clears the field after each.
    private static func keystrokes(in program: TerminalProgram) throws(BenchmarkError) -> [Keystroke] {
        var keystrokes: [Keystroke] = []
        for keys in TypedTexts.keys {
            for key in keys {
                let start = SystemCall.now
                try program.type(key)
                let shown = try program.shown(quietFor: quiet)
                guard let end = shown.endedAt else { throw program.process.failure("did not show what was typed") }
                keystrokes.append(Keystroke(nanoseconds: Double(end - start), bytes: shown.bytes.count))
            }
            try program.type(clear)
            _ = try program.shown(quietFor: quiet)
        }
        return keystrokes
    }

    // MARK: Starting

    private static func live(_ factory: PeerFactory, _ peer: Peer, _ arguments: [String] = []) -> Command {
        Command(
            program: factory.programs.searchctl,
            arguments: ["--no-start", "--socket", peer.socketPath, "live"] + arguments
        )
    }

    /// Starts a program where the servers run, on a terminal of its own.
    private static func launch(_ factory: PeerFactory, _ command: Command) throws(BenchmarkError) -> TerminalProgram {
        try factory.processors.serving { () throws(BenchmarkError) in try TerminalProgram(command) }
    }

    /// Nanoseconds of a whole `searchctl ping`.
    private static func ping(_ factory: PeerFactory, _ peer: Peer) throws(BenchmarkError) -> Double {
        let arguments = ["--no-start", "--socket", peer.socketPath, "ping"]
        let program = try launch(factory, Command(program: factory.programs.searchctl, arguments: arguments))
        guard program.process.exitStatus() == 0 else { throw program.process.failure("got no answer to a ping") }
        return Double(SystemCall.now - program.startedAt)
    }

    /// Nanoseconds until `searchctl live` has drawn its first whole screen.
    private static func start(_ factory: PeerFactory, _ peer: Peer) throws(BenchmarkError) -> Double {
        let program = try launch(factory, live(factory, peer))
        guard let end = try program.shown(quietFor: quiet, until: bottom).endedAt else {
            throw program.process.failure("drew nothing")
        }
        try program.type(interrupt)
        _ = program.process.exitStatus()
        return Double(end - program.startedAt)
    }

    // MARK: Scrolling

    /// Scrolls until `hitsScrolled` hits are loaded; how many are, and the resident bytes then.
    private static func scroll(
        _ factory: PeerFactory,
        _ peer: Peer
    ) throws(BenchmarkError) -> (hits: Int, residentBytes: Int) {
        let program = try launch(factory, live(factory, peer, ["-s", "kakao,naver", SearchRequests.thing(0)]))
        _ = try program.shown(quietFor: quiet, until: bottom)
        _ = try program.shown(quietFor: settling)
        try program.type("\r")
        let deadline = SystemCall.now + scrollingSecondsMax * 1_000_000_000
        var loaded = 0
        while loaded < hitsScrolled, SystemCall.now < deadline {
            for _ in 0..<ends {
                try program.type("G")
                _ = try program.shown(quietFor: quiet)
            }
            // Drawn anew, the whole line is there.
            try program.type("\u{C}")
            let text = ScreenText.plain(try program.shown(quietFor: quiet).bytes)
            loaded = max(loaded, ScreenText.loaded(text) ?? 0)
        }
        return (loaded, try program.process.figures.residentBytes())
    }
}
