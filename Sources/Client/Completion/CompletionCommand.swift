/// `searchctl completion SHELL`: the script that a shell reads to complete our command lines.
enum CompletionCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let shell = arguments.words.first ?? ""
        guard let text = CompletionScript.text(for: shell) else {
            let hint = NearestWord.nearest(to: shell, among: CompletionScript.shells).map { "Did you mean “\($0)”?" }
            throw ClientError(
                .usage,
                "there is no completion for “\(shell)”",
                hint: hint ?? "There is one for \(CompletionScript.shells.joined(separator: ", "))"
            )
        }
        try Printer(context.console).print(text)
        return .found
    }
}
