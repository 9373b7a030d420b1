/// Turns an error into text; nothing else does.
package enum FailureText {
    /// One line: what went wrong and what to do, safe on a terminal.
    package static func line(_ error: ClientError) -> String {
        var text = "searchctl: " + error.message
        // Most messages about a source name it.
        if let source = error.source, !error.message.contains(source) {
            text = "searchctl: \(source): \(error.message)"
        }
        if let retryAfter = error.retryAfter {
            append("It may work again in \(FigureText.time(milliseconds: retryAfter / .milliseconds(1)))", to: &text)
        }
        if let hint = error.hint { append(hint, to: &text) }
        // A path at the end is there to be copied.
        let endsInPath = text.split(separator: " ").last?.contains("/") == true
        return VisibleText.visible(endsInPath || isEnded(text) ? text : text + ".")
    }

    /// Adds a sentence, or a clause when it begins as one.
    private static func append(_ sentence: String, to text: inout String) {
        if isEnded(text) {
            text += " "
        } else {
            text += sentence.first?.isLowercase == true ? "; " : ". "
        }
        text += sentence
    }

    private static func isEnded(_ text: String) -> Bool {
        text.last.map { ".?!…".contains($0) } ?? false
    }
}
