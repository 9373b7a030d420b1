import JSON

/// What a source that keeps us waiting is doing, from a `search/source` notification; pure.
enum ProgressText {
    /// Nil when nobody is waited for any more.
    static func line(_ params: JSONCursor) -> String? {
        let source = params["source"]?.string ?? "a source"
        switch params["status"]?.string {
        case "queued":
            let wait = params["wait"]?.double.map { " \(FigureText.time(milliseconds: $0))" } ?? ""
            let reason = params["reason"]?.string.map { " (\($0))" } ?? ""
            return VisibleText.visible("\(source) waits\(wait)\(reason)")
        case "retrying":
            let attempt = params["attempt"]?.int.map { ", attempt \($0)" } ?? ""
            return VisibleText.visible("\(source) is asked again\(attempt)")
        default: return nil
        }
    }
}
