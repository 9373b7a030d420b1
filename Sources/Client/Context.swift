import CPlatform
package import EventLoop
import Glibc

/// What a command knows of the world it runs in.
package struct Context: Sendable {
    package let console: Console
    /// Every command of the program.
    package let commands: [Command]
    package let environment: Environment
    /// The daemon to start when none answers; nil looks for it.
    package let daemonProgram: String?
    /// The users whose daemon is asked wherever it listens: root, and ourselves.
    package let trustedUsers: Set<UInt32>
    /// Seconds since 1970.
    package let now: @Sendable () -> Int64
    /// In which dates are shown and read.
    package let zone: LocalZone
    /// It is there while systemd runs the machine.
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

    /// The lines of the screen; nil where there is none, or one that can't be written all over.
    var screenRows: Int? {
        guard console.outputIsTerminal, let terminal = environment["TERM"], terminal != "dumb" else { return nil }
        return Console.terminalSize(console.output)?.rows
    }

    /// What time it is where the user is.
    package var clock: LocalClock { LocalClock(now: now(), zone: zone) }
}

/// The environment variables of a process, asked one by one: the whole of it is never copied.
package struct Environment: Sendable {
    private let lookup: @Sendable (String) -> String?

    /// An environment of its own, for tests.
    package init(_ variables: [String: String]) {
        lookup = { variables[$0] }
    }

    /// The environment of this process, which does not change while it runs.
    package static let process = Environment { name in
        // The text is copied before anybody could change the environment; this program never does.
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }

    private init(lookup: @escaping @Sendable (String) -> String?) {
        self.lookup = lookup
    }

    /// The variable's value; nil when it is missing or empty, which mean the same.
    package subscript(name: String) -> String? {
        guard let value = lookup(name), !value.isEmpty else { return nil }
        return value
    }

    /// The directory of the user's state; nil when neither it nor a home is named.
    var stateHome: String? {
        directory("XDG_STATE_HOME") ?? directory("HOME").map { $0 + "/.local/state" }
    }

    /// A variable that names a directory; a relative path counts as none, as the base directory specification says.
    package func directory(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}

extension Instant {
    /// The monotonic clock, read now.
    package static var now: Instant { Instant(nanoseconds: platform_monotonic_ns()) }

    /// The timeout of poll(2) until this instant: whole milliseconds, rounded up, none negative.
    package func pollTimeout(from now: Instant) -> Int32 {
        let milliseconds = now.duration(to: self).milliseconds.rounded(.up)
        return milliseconds <= 0 ? 0 : Int32(min(milliseconds, Double(Int32.max)))
    }
}
