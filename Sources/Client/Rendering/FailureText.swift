import Hangul
import JSON
import RPC
import SearchModel

/// Formats an error as text.
package enum FailureText {
    package static func line(_ error: ClientError) -> String {
        let source = error.source.flatMap { error.message.contains($0) ? nil : "\($0): " } ?? ""
        let retry = error.retryAfter.map { "Retry in \(NumberText.time(milliseconds: $0 / .milliseconds(1)))" }
        let text = joined(["searchctl: " + source + error.message, retry, error.hint])
        let endsInPath = text.split(separator: " ").last?.contains("/") == true
        return endsInPath || isEnded(text) ? text : text + "."
    }

    package static func joined(_ sentences: [String?]) -> String {
        let text = sentences.compactMap(\.self).reduce("") { text, next in
            let end = text.isEmpty ? "" : isEnded(text) ? " " : next.first?.isLowercase == true ? "; " : ". "
            return text + end + next
        }
        return VisibleText.visible(text)
    }

    private static func isEnded(_ text: String) -> Bool {
        text.last.map { ".?!…".contains($0) } ?? false
    }
}

/// Formats a step of a search for `--explain`.
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
