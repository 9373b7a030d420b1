import EventLoop
import SearchModel

/// `searchctl live --plain`: lines in, lines out, for screen readers and terminals that can't be drawn on.
///
/// A line is searched for; one that begins with a colon is a command of `searchctl`.
struct PlainSession {
    private static let lineBytesMax = 64 << 10
    private static let prompt = "search> "
    private static let help = """
        A line is searched for; an empty one shows the next hits.
        :open 1, :show 1, :save 1, :unsave 1, :note 1 TEXT, :tag 1 WORD: the hit with that number
        :library, :history, :sources and every other command of searchctl; :quit, or the end of the input, ends.

        """
    /// What would take the terminal for itself, or this very command.
    private static let others = ["live", "top"]

    private let context: Context
    private let common: [String]
    private let options: [String]
    /// What the command line asks to be searched for.
    private let first: String

    init(_ arguments: Arguments, _ context: Context) {
        self.context = context
        common = arguments.words(of: CommandOption.common).filter { $0.hasPrefix("--") && $0 != "--" }
        options = arguments.words(of: [.source, .kind, .sort]).filter { $0.hasPrefix("--") && $0 != "--" }
        first = arguments.words.joined(separator: " ")
    }

    func run() throws(ClientError) -> ExitStatus {
        let printer = Printer(context.console)
        var input: [UInt8] = []
        var page = 1
        if !first.isEmpty { _ = heed(first, &page) }
        try printer.print(first.isEmpty ? ":help says what a line may be.\n" : "")
        while true {
            try printer.print(Self.prompt)
            guard let line = try next(&input) else { return .found }
            if line == ":quit" || line == ":q" { return .found }
            if line == ":help" {
                try printer.print(Self.help)
            } else {
                _ = heed(line, &page)
            }
        }
    }

    /// The next line, also an empty one; nil at the end of the input.
    private func next(_ input: inout [UInt8]) throws(ClientError) -> String? {
        while true {
            if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                defer { input.removeFirst(end + 1) }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            guard input.count <= Self.lineBytesMax else { throw ClientError(.usage, "the line is too long") }
            let ready = try Transfers.wait(for: context.console.input, context.console.interrupt)
            if ready[1] { throw ClientError(.interrupted, "interrupted") }
            guard let bytes = try Transfers.read(context.console.input, bytesMax: 4096) else { continue }
            guard !bytes.isEmpty else { return nil }
            input += bytes
        }
    }

    /// The command line that a line stands for, run.
    private func heed(_ line: String, _ page: inout Int) -> ExitStatus {
        let words = Self.words(line, page: &page, options)
        guard let name = words.first else { return .found }
        guard !Self.others.contains(name) else {
            context.console.report("“\(name)” takes the whole terminal.")
            return .usage
        }
        return Searchctl.run(common + words, context)
    }

    /// Pure.
    static func words(_ line: String, page: inout Int, _ options: [String]) -> [String] {
        let trimmed = LibraryEntry.line(line)
        if trimmed.isEmpty {
            page += 1
            return ["again", "--plain", "--no-pager", "--page", String(page)]
        }
        if trimmed.utf8.first == UInt8(ascii: ":") {
            return trimmed.dropFirst().split(separator: " ").map(String.init)
        }
        page = 1
        return ["search", "--plain", "--no-pager"] + options + ["--", trimmed]
    }
}
