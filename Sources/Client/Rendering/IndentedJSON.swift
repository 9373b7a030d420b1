import JSON

/// JSON for people, safe on a terminal: a member or an element a line, indented by its depth; pure.
enum IndentedJSON {
    private static let indent = "  "

    static func lines(_ value: JSONCursor) -> [String] {
        var lines: [String] = []
        add(value, before: "", behind: "", margin: "", to: &lines)
        return lines
    }

    private static func add(
        _ value: JSONCursor,
        before head: String,
        behind tail: String,
        margin: String,
        to lines: inout [String]
    ) {
        let isObject = value.kind == .object
        guard isObject || value.kind == .array, value.count > 0 else {
            lines.append(margin + head + visible(value.text) + tail)
            return
        }
        lines.append(margin + head + (isObject ? "{" : "["))
        var left = value.count
        func add(_ value: JSONCursor, named name: String?) {
            left -= 1
            let head = name.map { visible(JSONValue.string($0).bytes[...]) + ": " } ?? ""
            Self.add(value, before: head, behind: left > 0 ? "," : "", margin: margin + indent, to: &lines)
        }
        if isObject {
            value.forEachMember { add($1, named: $0) }
        } else {
            value.forEachElement { add($0, named: nil) }
        }
        lines.append(margin + (isObject ? "}" : "]") + tail)
    }

    private static func visible(_ json: ArraySlice<UInt8>) -> String {
        String(decoding: VisibleJSON.visible(json), as: UTF8.self)
    }
}
