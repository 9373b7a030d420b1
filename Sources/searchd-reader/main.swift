import Reader

ReaderProgram.run(CommandLine.arguments.dropFirst())
