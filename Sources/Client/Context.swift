import CPlatform
package import EventLoop
import Glibc

/// The parts of the system that a command uses, and that tests replace.
package struct Context: Sendable {
    package let console: Console
    package let commands: [Command]
    package let environment: Environment
    /// The path of the daemon to start, or nil to search for it.
    package let daemonProgram: String?
    /// The users whose sockets are trusted in any directory: root and the current user.
    package let trustedUsers: Set<UInt32>
    /// Seconds since 1970.
    package let now: @Sendable () -> Int64
    package let zone: LocalZone
    /// A directory that exists if systemd is the init system.
    package let systemdDirectory: String

    package init(
        console: Console,
        commands: [Command] = CommandTable.commands,
        environment: Environment,
        daemonProgram: String? = nil,
        trustedUsers: Set<UInt32> = [0, geteuid()],
        now: @escaping @Sendable () -> Int64 = { platform_realtime_ns() / 1_000_000_000 },
        zone: LocalZone = .system,
        systemdDirectory: String = "/run/systemd/system"
    ) {
        self.console = console
        self.commands = commands
        self.environment = environment
        self.daemonProgram = daemonProgram
        self.trustedUsers = trustedUsers
        self.now = now
        self.zone = zone
        self.systemdDirectory = systemdDirectory
    }

    /// The number of lines of the screen, or nil if the output is not a terminal or `TERM` is dumb.
    var screenRows: Int? {
        guard console.outputIsTerminal, let terminal = environment["TERM"], terminal != "dumb" else { return nil }
        return Console.terminalSize(console.output)?.rows
    }

    package var clock: LocalClock { LocalClock(now: now(), zone: zone) }
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
