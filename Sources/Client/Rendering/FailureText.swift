import Hangul
import JSON
import RPC
import SearchModel

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

/// One step of how an answer came about, from the `trace` of `--explain`; pure.
enum TraceText {
    private static let timeColumns = 9
    /// In milliseconds.
    private static let times = [Member.elapsed, .wait, .timeout, .retryAfter].map(\.description)
    private static let head = [Member.at, .source, .event].map(\.description)

    /// The step in lines, what it did behind when; nil as `columns` for lines of any length.
    static func lines(_ step: JSONCursor, columns: Int?) -> [String] {
        let at = step[.at]?.double.map(FigureText.time(milliseconds:)) ?? ""
        let subject = [step[.source]?.string, step[.event]?.string].compactMap(\.self).joined(separator: " ")
        let details = step.members.filter { !head.contains($0.name) }.map { detail($0.name, $0.value) }
        let text = details.isEmpty ? subject : subject + ": " + details.joined(separator: ", ")
        let time = DisplayWidth.padded(VisibleText.visible(at), timeColumns, toRight: true) + "  "
        return Layout(columns: columns ?? .max).lines(VisibleText.visible(text), behind: time)
    }

    private static func detail(_ name: String, _ value: JSONCursor) -> String {
        if let number = value.double {
            if times.contains(name) { return "\(name) \(FigureText.time(milliseconds: number))" }
            if name == Member.age.description { return "\(name) \(FigureText.age(seconds: number))" }
            if name == Member.bytes.description, let count = value.int { return FigureText.bytes(count) }
        }
        if value.kind == .object {
            let parts = value.members.map { "\($0.name) \(text($0.value))" }
            return "\(name) (\(parts.joined(separator: ", ")))"
        }
        return "\(name) \(text(value))"
    }

    private static func text(_ value: JSONCursor) -> String {
        value.string ?? String(decoding: value.text, as: UTF8.self)
    }
}
