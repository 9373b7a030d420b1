import CPlatform
package import EventLoop
import Glibc

/// The command line and the environment of a command.
package struct Context: Sendable {
    package let console: Console
    var commands = CommandTable.commands
    package let environment: Environment
    /// The path of the daemon to start, or nil to search for it.
    var daemonProgram: String?
    /// The users whose sockets are trusted in any directory: root and the current user.
    var trustedUsers: Set<UInt32> = [0, geteuid()]
    /// Seconds since 1970.
    package var now: @Sendable () -> Int64 = { platform_realtime_ns() / 1_000_000_000 }
    package var zone = LocalZone.system
    /// A directory that exists if systemd is the init system.
    var systemdDirectory = "/run/systemd/system"
    package var arguments = Arguments()

    /// Returns the context with other words and options.
    func with(_ arguments: Arguments) -> Context {
        var other = self
        other.arguments = arguments
        return other
    }

    var printer: Printer { Printer(console) }
    package var layout: Layout { Layout(columns: console.columns) }
    /// The style of standard output.
    package var style: Style { Style(arguments, environment: environment, isTerminal: console.outputIsTerminal) }

    /// Prints a report: one JSON document per line with --json, or lines of text.
    package func report(json: [ArraySlice<UInt8>], or lines: [String]) throws(ClientError) {
        guard arguments.has(.json) else { return try printer.print(lines.map { $0 + "\n" }.joined()) }
        for document in json { try printer.print(json: document) }
    }

    /// The number of lines of the screen, or nil if the output is not a terminal or `TERM` is dumb.
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

/// Environment variables.
package struct Environment: Sendable {
    private let lookup: @Sendable (String) -> String?

    /// Creates an environment with only these variables, for tests.
    package init(_ variables: [String: String]) {
        lookup = { variables[$0] }
    }

    package static let process = Environment { name in
        // The text is copied at once. No thread changes the environment meanwhile.
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }

    private init(lookup: @escaping @Sendable (String) -> String?) {
        self.lookup = lookup
    }

    /// Returns the value of a variable, or nil if it is missing or empty.
    package subscript(name: String) -> String? {
        guard let value = lookup(name), !value.isEmpty else { return nil }
        return value
    }

    var stateHome: String? {
        directory("XDG_STATE_HOME") ?? directory("HOME").map { $0 + "/.local/state" }
    }

    /// Returns the value of a variable if it is an absolute path.
    package func directory(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}

extension Instant {
    package static var now: Instant { Instant(nanoseconds: platform_monotonic_ns()) }

    /// Returns the timeout for poll(2) that ends at this instant, rounded up.
    package func pollTimeout(from now: Instant) -> Int32 {
        let milliseconds = now.duration(to: self).milliseconds.rounded(.up)
        return milliseconds <= 0 ? 0 : Int32(min(milliseconds, Double(Int32.max)))
    }
}
