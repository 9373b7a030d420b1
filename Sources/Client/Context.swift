import CPlatform
package import EventLoop
import Glibc

/// The command line and the environment of a command.
package struct Context: Sendable {
    package let console: Console
    var commands = CommandTable.commands
    package let environment: Environment
    var daemonProgram: String?
    /// A socket of these users is accepted, even in a directory that other users can write to.
    var trustedUsers: Set<UInt32> = [0, geteuid()]
    /// In seconds since 1970.
    package var now: @Sendable () -> Int64 = { platform_realtime_ns() / 1_000_000_000 }
    package var zone = LocalZone.system
    var systemdDirectory = "/run/systemd/system"
    package var arguments = Arguments()

    func with(_ arguments: Arguments) -> Context {
        var other = self
        other.arguments = arguments
        return other
    }

    package var layout: Layout { Layout(columns: console.columns) }
    package var style: Style { Style(arguments, environment: environment, isTerminal: console.outputIsTerminal) }

    package func report(json: [ArraySlice<UInt8>], or lines: [String]) throws(ClientError) {
        guard arguments.has(.json) else { return try console.print(lines.map { $0 + "\n" }.joined()) }
        for document in json { try console.print(json: document) }
    }

    var chosenSocket: String? { arguments.text(.socket) ?? environment["SEARCHD_SOCKET"] }

    var screenRows: Int? {
        guard console.outputIsTerminal, let terminal = environment["TERM"], terminal != "dumb" else { return nil }
        return Console.terminalSize(console.output)?.rows
    }

    package var clock: LocalClock { LocalClock(now: now(), zone: zone) }
}

extension Context {
    package init(_ console: Console, _ environment: Environment, commands: [Command] = CommandTable.commands) {
        self.init(console: console, commands: commands, environment: environment)
    }
}

package struct Environment: Sendable {
    private let lookup: @Sendable (String) -> String?

    package init(_ variables: [String: String]) {
        lookup = { variables[$0] }
    }

    package static let process = Environment { name in
        // The text is copied immediately. No thread changes the environment.
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }

    private init(lookup: @escaping @Sendable (String) -> String?) {
        self.lookup = lookup
    }

    package subscript(name: String) -> String? {
        guard let value = lookup(name), !value.isEmpty else { return nil }
        return value
    }

    var stateHome: String? {
        directory("XDG_STATE_HOME") ?? directory("HOME").map { $0 + "/.local/state" }
    }

    package func directory(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}

extension Instant {
    package static var now: Instant { Instant(nanoseconds: platform_monotonic_ns()) }

    package func pollTimeout(from now: Instant) -> Int32 {
        let milliseconds = now.duration(to: self).milliseconds.rounded(.up)
        return milliseconds <= 0 ? 0 : Int32(min(milliseconds, Double(Int32.max)))
    }
}
