import CPlatform
package import EventLoop
import Glibc

/// The environment of a command.
package struct Context: Sendable {
    package let console: Console
    package let commands: [Command]
    package let environment: Environment
    /// The daemon to start; nil searches for it.
    package let daemonProgram: String?
    /// Users whose socket is trusted wherever it is: root and ourselves.
    package let trustedUsers: Set<UInt32>
    /// Seconds since 1970.
    package let now: @Sendable () -> Int64
    package let zone: LocalZone
    /// Exists while systemd runs the machine.
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

    /// The lines of the screen; nil without a capable terminal.
    var screenRows: Int? {
        guard console.outputIsTerminal, let terminal = environment["TERM"], terminal != "dumb" else { return nil }
        return Console.terminalSize(console.output)?.rows
    }

    package var clock: LocalClock { LocalClock(now: now(), zone: zone) }
}

/// Environment variables.
package struct Environment: Sendable {
    private let lookup: @Sendable (String) -> String?

    /// For tests.
    package init(_ variables: [String: String]) {
        lookup = { variables[$0] }
    }

    package static let process = Environment { name in
        // The text is copied at once; this program never changes its environment.
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }

    private init(lookup: @escaping @Sendable (String) -> String?) {
        self.lookup = lookup
    }

    /// Nil when it is missing or empty.
    package subscript(name: String) -> String? {
        guard let value = lookup(name), !value.isEmpty else { return nil }
        return value
    }

    var stateHome: String? {
        directory("XDG_STATE_HOME") ?? directory("HOME").map { $0 + "/.local/state" }
    }

    /// A variable with an absolute path.
    package func directory(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}

extension Instant {
    package static var now: Instant { Instant(nanoseconds: platform_monotonic_ns()) }

    /// The timeout of poll(2) until this instant, rounded up.
    package func pollTimeout(from now: Instant) -> Int32 {
        let milliseconds = now.duration(to: self).milliseconds.rounded(.up)
        return milliseconds <= 0 ? 0 : Int32(min(milliseconds, Double(Int32.max)))
    }
}
