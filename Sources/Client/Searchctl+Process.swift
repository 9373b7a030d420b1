import CPlatform
import Glibc

extension Searchctl {
    /// Runs the command line of this process; its exit status.
    package static func runProcess() -> Int32 {
        openStandardDescriptors()
        // A reader that leaves is an errno here, not the end: the daemon is to be told that its work is in vain.
        _ = signal(SIGPIPE, SIG_IGN)
        let environment = Environment.process
        let console = Console(environment: environment, interrupt: interruptDescriptor())
        let words = Array(CommandLine.arguments.dropFirst())
        return run(words, Context(console: console, environment: environment)).number
    }

    /// Makes sure that 0, 1 and 2 are open, so that no socket ever becomes somebody's standard output.
    private static func openStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is the missing one.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// A descriptor that becomes readable at Ctrl-C, which from now on does nothing else; nil when there is none.
    private static func interruptDescriptor() -> Int32? {
        var signals = [SIGINT]
        // The array lives through the call, which reads the one number it is told of.
        let descriptor = unsafe platform_signal_descriptor(&signals, 1)
        return descriptor >= 0 ? descriptor : nil
    }
}
