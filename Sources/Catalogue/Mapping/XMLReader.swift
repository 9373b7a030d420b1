import JSON

/// Converts XML to JSON: an element becomes a string, or an object with `@attribute`, `#text` and lists of children.
struct XMLReader {
    struct Failure: Error, Equatable {
        let message: String
        let offset: Int
    }

    static let depthMax = 64
    static let elementsMax = 100_000

    private struct Element {
        let name: String
        var attributes: [JSONMember] = []
        var text: [UInt8] = []
        var children: [(name: String, values: [JSONValue])] = []

        mutating func add(_ value: JSONValue, named name: String) {
            if let index = children.lastIndex(where: { $0.name == name }) {
                children[index].values.append(value)
            } else {
                children.append((name, [value]))
            }
        }

        var value: JSONValue {
            let text = String(decoding: self.text, as: UTF8.self)
            if attributes.isEmpty, children.isEmpty { return .string(text) }
            var members = attributes
            if self.text.contains(where: { !XMLReader.isSpace($0) }) {
                members.append(JSONMember("#text", .string(text)))
            }
            members += children.map { JSONMember($0.name, .array($0.values)) }
            return .object(members)
        }
    }

    private let bytes: [UInt8]
    private var position = 0
    private var elements = 0

    /// Returns `{"NAME": …}` for a document with the root element NAME.
    static func json(of document: [UInt8]) throws(Failure) -> [UInt8] {
        guard String(validating: document, as: UTF8.self) != nil else {
            throw Failure(message: "it is not UTF-8", offset: 0)
        }
        var reader = XMLReader(bytes: document)
        var writer = JSONWriter()
        writer.value(try reader.document())
        return writer.bytes
    }

    private mutating func document() throws(Failure) -> JSONValue {
        // The first element represents the document. Its only child is the root element.
        var open = [Element(name: "")]
        while true {
            let top = open.count - 1
            if top > 0 { try readText(into: &open[top].text) } else { skipSpace() }
            guard position < bytes.count else { break }
            let isBeforeRoot = top == 0 && open[0].children.isEmpty
            if skip("<!--") {
                try skip(past: "-->", "a comment")
            } else if skip("<?") {
                try skip(past: "?>", "an instruction")
            } else if top > 0, skip("<![CDATA[") {
                let start = position
                try skip(past: "]]>", "a CDATA section")
                open[top].text += bytes[start..<position - 3]
            } else if skip("<!DOCTYPE") {
                try skipDocumentType(isFirst: isBeforeRoot)
            } else if top > 0, skip("</") {
                let name = try readName()
                skipSpace()
                let element = open.removeLast()
                guard skip(">"), element.name == name else { throw failure("</\(name)> has no start tag") }
                open[top - 1].add(element.value, named: name)
            } else if isBeforeRoot || top > 0, skip("<") {
                let element = try readTag()
                if skip("/>") {
                    open[top].add(element.value, named: element.name)
                } else {
                    guard skip(">") else { throw failure("a tag is not closed") }
                    guard top < Self.depthMax else { throw failure("elements are nested too deeply") }
                    open.append(element)
                }
            } else {
                throw failure("there is text outside of the root element")
            }
        }
        guard open.count == 1, let root = open[0].children.first else { throw failure("it ends within an element") }
        return .object([JSONMember(root.name, root.values[0])])
    }

    private mutating func readTag() throws(Failure) -> Element {
        elements += 1
        guard elements <= Self.elementsMax else { throw failure("it has too many elements") }
        var element = Element(name: try readName())
        while true {
            let start = position
            skipSpace()
            guard position < bytes.count, !at(">"), !at("/>") else { return element }
            guard position > start else { throw failure("a space is missing before an attribute") }
            let name = "@" + (try readName())
            skipSpace()
            guard skip("=") else { throw failure("\(name.dropFirst()) has no value") }
            skipSpace()
            guard position < bytes.count, at("\"") || at("'") else { throw failure("a value is not quoted") }
            let quote = bytes[position]
            position += 1
            var value: [UInt8] = []
            while position < bytes.count, bytes[position] != quote {
                if at("<") { throw failure("a value contains <") }
                try readCharacter(into: &value)
            }
            guard position < bytes.count else { throw failure("an attribute value is not closed") }
            position += 1
            guard !element.attributes.contains(where: { $0.name == name }) else {
                throw failure("\(name.dropFirst()) is repeated")
            }
            element.attributes.append(JSONMember(name, .string(String(decoding: value, as: UTF8.self))))
        }
    }

    private mutating func readText(into text: inout [UInt8]) throws(Failure) {
        while position < bytes.count, !at("<") { try readCharacter(into: &text) }
    }

    private mutating func readCharacter(into text: inout [UInt8]) throws(Failure) {
        guard at("&") else {
            text.append(bytes[position])
            position += 1
            return
        }
        guard let (value, end) = Entities.read(bytes.span, at: position), let scalar = Unicode.Scalar(value) else {
            throw failure("unknown entity")
        }
        text += String(scalar).utf8
        position = end
    }

    private mutating func readName() throws(Failure) -> String {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        guard position > start else { throw failure("a name is missing") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipDocumentType(isFirst: Bool) throws(Failure) {
        guard isFirst else { throw failure("a document type within an element") }
        while position < bytes.count, !at(">") {
            guard !at("[") else { throw failure("it declares entities") }
            position += 1
        }
        guard skip(">") else { throw failure("the document type is not closed") }
    }

    private func at(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func skip(_ text: String) -> Bool {
        guard at(text) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skip(past end: String, _ what: String) throws(Failure) {
        while position < bytes.count, !at(end) { position += 1 }
        guard skip(end) else { throw failure("\(what) is not closed") }
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isLetter || byte.isDigit || "-_.:".utf8.contains(byte)
    }

    private func failure(_ message: String) -> Failure { Failure(message: message, offset: position) }
}
