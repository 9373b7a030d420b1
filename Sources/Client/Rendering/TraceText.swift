import JSON
import RPC
import SearchModel

/// One step of how an answer came about, from the `trace` of `--explain`; pure.
enum TraceText {
    static func line(_ step: JSONCursor) -> String {
        let at = step[.at]?.double.map(FigureText.time(milliseconds:)) ?? ""
        var words = [step[.source]?.string, step[.event]?.string].compactMap(\.self)
        for member in step.members where ![Member.at, .source, .event].map(\.description).contains(member.name) {
            let value = member.value.string ?? String(decoding: member.value.text, as: UTF8.self)
            words.append("\(member.name)=\(value)")
        }
        return VisibleText.visible(DisplayWidth.padded(at, 9, toRight: true) + "  " + words.joined(separator: " "))
    }
}
