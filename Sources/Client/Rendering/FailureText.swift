import Hangul
import JSON
import RPC
import SearchModel

/// Formats an error as text.
package enum FailureText {
    package static func line(_ error: ClientError) -> String {
        var text = "searchctl: " + error.message
        if let source = error.source, !error.message.contains(source) {
            text = "searchctl: \(source): \(error.message)"
        }
        if let retryAfter = error.retryAfter {
            append("Retry in \(NumberText.time(milliseconds: retryAfter / .milliseconds(1)))", to: &text)
        }
        if let hint = error.hint { append(hint, to: &text) }
        // A path at the end gets no full stop, so that it can be copied.
        let endsInPath = text.split(separator: " ").last?.contains("/") == true
        return VisibleText.visible(endsInPath || isEnded(text) ? text : text + ".")
    }

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

/// Formats a step of a search, for `--explain`.
enum TraceText {
    private static let timeColumns = 9
    private static let times = [Member.elapsed, .wait, .timeout, .retryAfter].map(\.description)
    private static let head = [Member.at, .source, .event].map(\.description)

    static func lines(_ step: JSONCursor, columns: Int?) -> [String] {
        let at = step[.at]?.double.map(NumberText.time(milliseconds:)) ?? ""
        let subject = [step[.source]?.string, step[.event]?.string].compactMap(\.self).joined(separator: " ")
        let details = step.members.filter { !head.contains($0.name) }.map { name, value in
            if times.contains(name), let time = value.double { return "\(name) \(NumberText.time(milliseconds: time))" }
            return "\(name) \(value.string ?? String(decoding: value.text, as: UTF8.self))"
        }
        let text = details.isEmpty ? subject : subject + ": " + details.joined(separator: ", ")
        let time = DisplayWidth.padded(VisibleText.visible(at), timeColumns, toRight: true) + "  "
        return Layout(columns: columns ?? .max).lines(VisibleText.visible(text), behind: time)
    }
}
