package import JSON

extension JSONValue {
    /// The object as XML.
    ///
    /// Its only member is the root element. In an element, the member `@name` is an attribute, `#text` is the text, and
    /// other members are arrays of child elements.
    package var xmlBytes: [UInt8] {
        var text = "<?xml version='1.0' encoding='UTF-8'?>\n"
        if let root = members?.first { root.value.writeXML(named: root.name, to: &text) }
        return Array((text + "\n").utf8)
    }

    private func writeXML(named name: String, to text: inout String) {
        guard let members else {
            text += "<\(name)>\(Self.escaped(plainText))</\(name)>"
            return
        }
        text += "<\(name)"
        for member in members where member.name.hasPrefix("@") {
            text += " \(member.name.dropFirst())=\"\(Self.escaped(member.value.plainText))\""
        }
        text += ">"
        for member in members where !member.name.hasPrefix("@") {
            if member.name == "#text" { text += Self.escaped(member.value.plainText) }
            for child in member.value.array ?? [] { child.writeXML(named: member.name, to: &text) }
        }
        text += "</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
