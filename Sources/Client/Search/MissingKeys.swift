import EventLoop
package import JSON
import RPC
import SearchModel

/// Tells the user which sources of a profile have no key.
package struct MissingKeys {
    package static let standard = "@default"

    let list: JSONCursor
    let keys: KeyCommandLine

    package init(list: JSONCursor, keys: KeyCommandLine) { (self.list, self.keys) = (list, keys) }

    /// Returns a line about the sources of a profile that have no key.
    ///
    /// If `columns` are too few for the names, the line has only the number of sources.
    package func line(of profile: String, columns: Int? = nil) -> String? {
        if profile == Self.standard, KeyAccount.all(in: sources).contains(where: \.hasKey) { return nil }
        let profiles = list[.profiles]?.elements ?? []
        let entry = profiles.first { $0[.name]?.string?.hasSameBytes(as: profile) == true }
        let disabled = sources.filter { $0.offReason == .disabled || $0.needsAddress }.map(\.name)
        let off = (entry?[.off]?.elements ?? []).compactMap(\.string).map(VisibleText.visible)
            .filter { !disabled.contains($0) }
        let free = off.first { name in sources.contains { $0.name == name && !$0.isPaid } }
        guard let first = free ?? off.first, let account = first.split(separator: ".").first else { return nil }
        let verb = off.count == 1 ? "is" : "are"
        let command = keys.text("set", String(account))
        let name = VisibleText.visible(profile)
        let line = "\(name): \(NumberText.names(off)) \(verb) off (no key). Set one with: \(command)"
        if Layout.width(line) <= columns ?? .max { return line }
        let isOne = Set(off.map { $0.prefix { $0 != "." } }).count == 1
        let short = isOne || keys.isSystem ? command : "searchctl setup"
        return "\(name): \(NumberText.count(off.count, "source")) \(off.count == 1 ? "has" : "have") no key: \(short)"
    }

    private var sources: [SourceEntry] { (list[.sources]?.elements ?? []).map { SourceEntry($0) } }
}

/// Limits the reminder of missing keys to one per day and profile.
struct KeyReminder {
    private static let daySeconds: Int64 = 86_400

    private let directory: String
    private let name: String
    private let now: Int64

    init?(_ profile: String, _ context: Context) {
        guard let state = context.environment.stateHome else { return nil }
        directory = state + "/searchctl"
        name = "keys-reminder\(profile)"
        now = context.now()
    }

    var isDue: Bool {
        let kept = SystemCall.contents(of: "\(directory)/\(name)") ?? []
        let last = Int64(String(decoding: kept, as: UTF8.self)) ?? 0
        return !(last...last + Self.daySeconds).contains(now)
    }

    func keep() { StateFile.replace(name, in: directory, with: Array(String(now).utf8)) }
}

/// Reads the query from standard input if needed, and turns its filters into options.
enum QueryInput {
    private static let bytesMax = 64 << 10

    static func filled(_ context: Context) throws(ClientError) -> Arguments {
        var arguments = context.arguments
        if arguments.words == ["-"] {
            let console = context.console
            let bytes = try DescriptorIO.readAll(console.input, console.interrupt, bytesMax: bytesMax)
            arguments = arguments.replacing(words: [LibraryEntry.line(String(decoding: bytes, as: UTF8.self))])
        }
        let typed = TypedQuery(arguments.words.joined(separator: " "), context.clock)
        if let mistake = typed.mistake {
            throw ClientError(.usage, mistake, hint: "Filters are site:HOST, since:DATE and until:DATE.")
        }
        guard !typed.filters.isEmpty else { return arguments }
        arguments = arguments.replacing(words: [typed.text])
        for option in [CommandOption.site, .since, .until] {
            if let filter = typed.filters[option.name] { arguments.append(.text(filter), of: option) }
        }
        return arguments
    }
}
