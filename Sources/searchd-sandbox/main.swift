import Sandbox

SandboxProgram.run(Array(CommandLine.arguments.dropFirst()))
