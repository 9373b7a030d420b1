/// The one place that turns an error into text.
package enum FailureText {
    /// One line: what went wrong and what to do, safe on a terminal.
    package static func line(_ error: ClientError) -> String {
        var sentences = [sentence([error.source, error.message].compactMap(\.self).joined(separator: ": "))]
        if let retryAfter = error.retryAfter {
            sentences.append("It may work again in \(FigureText.time(milliseconds: retryAfter / .milliseconds(1))).")
        }
        if let hint = error.hint { sentences.append(sentence(hint)) }
        return VisibleText.visible("searchctl: " + sentences.joined(separator: " "))
    }

    private static func sentence(_ text: String) -> String {
        guard let last = text.last else { return "" }
        return ".?!…".contains(last) ? text : text + "."
    }
}
