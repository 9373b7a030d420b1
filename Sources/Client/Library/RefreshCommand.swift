import JSON
import RPC
import SearchModel

/// `searchctl library refresh [ID…]`: has saved items looked up again, on spare quota.
enum RefreshCommand {
    static func run(
        _ words: [String],
        _ arguments: Arguments,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let call = try LibraryCall(arguments, context)
        let ids = words.isEmpty ? [] : try call.ids(words)
        let params = JSONWriter.bytes { writer in if !ids.isEmpty { writer.member(.ids, ids) } }
        let result = try call.ask(.libraryRefresh, params)
        let (queued, left) = (result[.queued]?.int ?? 0, result[.left]?.int ?? 0)
        switch format {
        case .json: try Printer(context.console).print(json: result.text)
        case .text: try Printer(context.console).print(text(queued, left) + "\n")
        }
        return queued > 0 ? .found : .nothingFound
    }

    private static func text(_ queued: Int, _ left: Int) -> String {
        let sources = left == 1 ? "its source has" : "their sources have"
        let can = "can't be refreshed: \(sources) no way to look up a single item"
        let others = left == 0 ? "" : "\(FigureText.count(left, "item")) \(can)"
        guard queued > 0 else { return others.isEmpty ? "There is nothing to look up." : "\(others)." }
        return "\(FigureText.count(queued, "item")) will be looked up when the sources have quota to spare; "
            + "“searchctl library --watch” prints what changes." + (others.isEmpty ? "" : "\n\(others).")
    }
}
