import Glibc
import Web

exit(WebProgram.run(CommandLine.arguments.dropFirst()))
