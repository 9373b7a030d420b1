/// Reads JSON5, the spelling of configuration and source files, into nodes with lines and columns.
///
/// All of JSON5 but Infinity and NaN, which no setting can mean; duplicate names and halves of surrogate pairs are
/// refused, since in a file written by hand they are mistakes. Recursive, which the depth limit bounds.
package struct JSON5Reader {
    package static let limits = JSONLimits(depthMax: 64, bytesMax: 1 << 20)

    /// Reads one file; the error points at the first thing that is wrong.
    package static func read(_ bytes: [UInt8]) throws(JSON5Error) -> JSON5Node {
        guard bytes.count <= limits.bytesMax else {
            throw JSON5Error(.tooLong, line: 1, column: 1, "the file is longer than \(limits.bytesMax) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw firstBrokenByte(of: bytes) }
        var reader = JSON5Reader(text)
        try reader.skipBlanks()
        let root = try reader.value()
        try reader.skipBlanks()
        guard reader.here == nil else {
            throw reader.error("something follows the end; a bracket before it is missing, or closes too early")
        }
        return root
    }

    var scalars: [Unicode.Scalar]
    var position = 0
    var line = 1
    var column = 1
    private var depth = 0

    private init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// The scalar that is next; nil at the end.
    var here: Unicode.Scalar? { peek(0) }

    func peek(_ offset: Int) -> Unicode.Scalar? {
        position + offset < scalars.count ? scalars[position + offset] : nil
    }

    /// Goes past the next scalar; CR, LF and CRLF end a line.
    mutating func advance() {
        guard let passed = here else { return }
        position += 1
        if passed == "\n" || (passed == "\r" && here != "\n") {
            line += 1
            column = 1
        } else {
            column += 1
        }
    }

    func error(_ message: String, _ code: JSONError.Code = .syntax) -> JSON5Error {
        JSON5Error(code, line: line, column: column, here == nil ? "\(message), and the file ends" : message)
    }

    mutating func value() throws(JSON5Error) -> JSON5Node {
        let (line, column) = (line, column)
        return JSON5Node(try unplacedValue(), line: line, column: column)
    }

    private mutating func unplacedValue() throws(JSON5Error) -> JSON5Node.Value {
        switch here {
        case "{": .object(try nested { (reader) throws(JSON5Error) in try reader.object() })
        case "[": .array(try nested { (reader) throws(JSON5Error) in try reader.array() })
        case "\"", "'": .string(try string())
        case "+", "-", ".": .number(try number())
        case let digit? where ("0"..."9").contains(digit): .number(try number())
        default: try word()
        }
    }

    private mutating func nested<Contents>(
        _ body: (inout JSON5Reader) throws(JSON5Error) -> Contents
    ) throws(JSON5Error) -> Contents {
        guard depth < Self.limits.depthMax else {
            throw error("more than \(Self.limits.depthMax) arrays and objects are open", .tooDeep)
        }
        depth += 1
        let contents = try body(&self)
        depth -= 1
        return contents
    }

    private mutating func array() throws(JSON5Error) -> [JSON5Node] {
        advance()
        var elements: [JSON5Node] = []
        try skipBlanks()
        while here != "]" {
            elements.append(try value())
            try separator(before: "]")
        }
        advance()
        return elements
    }

    private mutating func object() throws(JSON5Error) -> [JSON5Member] {
        advance()
        var members: [JSON5Member] = []
        var lines: [String: Int] = [:]
        try skipBlanks()
        while here != "}" {
            let (line, column) = (line, column)
            let name = try name()
            if let first = lines.updateValue(line, forKey: name) {
                let message = "\"\(name)\" stands twice in the same object, first on line \(first)"
                throw JSON5Error(.duplicateName, line: line, column: column, message)
            }
            try skipBlanks()
            guard here == ":" else { throw error("a colon is missing after the name") }
            advance()
            try skipBlanks()
            members.append(JSON5Member(name: name, line: line, column: column, node: try value()))
            try separator(before: "}")
        }
        advance()
        return members
    }

    /// A comma, which may be left out before the closing bracket and may stand before it.
    private mutating func separator(before bracket: Unicode.Scalar) throws(JSON5Error) {
        try skipBlanks()
        if here == "," {
            advance()
            try skipBlanks()
        } else if here != bracket {
            throw error("a comma or \"\(bracket)\" is missing")
        }
    }

    private static func firstBrokenByte(of bytes: [UInt8]) -> JSON5Error {
        var line = 1
        var column = 1
        var decoder = UTF8()
        var rest = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&rest) {
            line += scalar == "\n" ? 1 : 0
            column = scalar == "\n" ? 1 : column + 1
        }
        return JSON5Error(.notUTF8, line: line, column: column, "the file is not UTF-8 from here on")
    }
}
