import Daemon
import Glibc

exit(DaemonProgram.run(CommandLine.arguments.dropFirst()))
