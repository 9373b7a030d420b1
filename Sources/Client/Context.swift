/// What a command knows of the world it runs in.
package struct Context: Sendable {
    package let console: Console
    package let environment: Environment
    /// The daemon to start when none answers; nil looks for it.
    package let daemonProgram: String?

    package init(console: Console, environment: Environment, daemonProgram: String? = nil) {
        self.console = console
        self.environment = environment
        self.daemonProgram = daemonProgram
    }
}
