import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// Which sources of a profile are off because they have no key, in one line; pure.
struct MissingKeys {
    /// What is searched when nothing is named.
    static let standard = "@default"

    let list: JSONCursor
    /// How a key is set for the daemon that has listed them.
    let keys: KeyCommandLine

    /// `@web: kakao.web, naver.web are off (no key). Set one with: searchctl keys set kakao`; nil when none is.
    func line(of profile: String) -> String? {
        let profiles = list[.profiles]?.elements ?? []
        let entry = profiles.first { $0[.name]?.string?.hasSameBytes(as: profile) == true }
        let off = (entry?[.off]?.elements ?? []).compactMap(\.string).map(VisibleText.visible)
        guard let first = off.first, let account = first.split(separator: ".").first else { return nil }
        let verb = off.count == 1 ? "is" : "are"
        let command = keys.text("set", String(account))
        return "\(VisibleText.visible(profile)): \(FigureText.names(off)) \(verb) off (no key). "
            + "Set one with: \(command)"
    }

    /// The same for a search that names nothing; nil as soon as any account has a key.
    var standardLine: String? {
        KeyAccount.all(in: sources).contains(where: \.hasKey) ? nil : line(of: Self.standard)
    }

    private var sources: [SourceEntry] { (list[.sources]?.elements ?? []).map { SourceEntry($0) } }
}

/// When the user was reminded last that keys are missing: at most once a day.
struct KeyReminder {
    private static let daySeconds: Int64 = 86_400
    private static let name = "keys-reminder"

    private let directory: String
    private let now: Int64

    /// Nil without a directory of the user's own for such a thing.
    init?(_ context: Context) {
        guard let state = context.environment.stateHome else { return nil }
        directory = state + "/searchctl"
        now = context.now()
    }

    var isDue: Bool {
        let kept = StateFile.contents(of: "\(directory)/\(Self.name)", bytesMax: 64) ?? []
        let last = Int64(String(decoding: kept, as: UTF8.self)) ?? 0
        return !(last...last + Self.daySeconds).contains(now)
    }

    func keep() { StateFile.replace(Self.name, in: directory, with: Array(String(now).utf8)) }
}

/// `searchctl search -`: the query is what standard input has.
enum QueryInput {
    private static let bytesMax = 64 << 10

    /// The arguments, with the text of standard input in the place of the only word `-`.
    static func filled(_ arguments: Arguments, _ context: Context) throws(ClientError) -> Arguments {
        guard arguments.words == ["-"] else { return arguments }
        var bytes: [UInt8] = []
        while bytes.count <= bytesMax {
            let ready = try Transfers.wait(for: context.console.input, context.console.interrupt)
            if ready[1] { throw ClientError(.interrupted, "interrupted") }
            guard let more = try Transfers.read(context.console.input, bytesMax: bytesMax) else { continue }
            if more.isEmpty { break }
            bytes += more
        }
        return arguments.replacing(words: [LibraryEntry.line(String(decoding: bytes, as: UTF8.self))])
    }
}
