import CPlatform
import Glibc

/// What a command knows of the world it runs in.
package struct Context: Sendable {
    package let console: Console
    package let environment: Environment
    /// The daemon to start when none answers; nil looks for it.
    package let daemonProgram: String?
    /// The users whose daemon is asked wherever it listens: root, and ourselves.
    package let trustedUsers: Set<UInt32>
    /// Seconds since 1970.
    package let now: @Sendable () -> Int64

    package init(
        console: Console,
        environment: Environment,
        daemonProgram: String? = nil,
        trustedUsers: Set<UInt32> = [0, geteuid()],
        now: @escaping @Sendable () -> Int64 = { platform_realtime_ns() / 1_000_000_000 }
    ) {
        self.console = console
        self.environment = environment
        self.daemonProgram = daemonProgram
        self.trustedUsers = trustedUsers
        self.now = now
    }
}
