import HTTPMessage

/// A text with placeholders for what a request brings, as `KakaoAK {secret.key}`.
struct Template: Equatable, Sendable {
    /// What a placeholder stands for.
    enum Variable: Equatable, Sendable {
        case query
        case sort
        case page
        case start
        case size
        /// The part of a hit's id after the source, in a lookup.
        case key
        case secret(String)
        case setting(String)
        case option(String)
    }

    /// How a filled template is written.
    enum Spelling {
        /// As it is: in a header.
        case plain
        /// With what fills it percent-encoded: in the path of a URL.
        case path
        /// Percent-encoded altogether: in a form.
        case form
    }

    private enum Part: Equatable, Sendable {
        /// A text as it stands, and percent-encoded.
        case text(String, encoded: String)
        case variable(Variable)
    }

    private let parts: [Part]

    init(_ declared: Declared) throws(CatalogueError) {
        try self.init(declared.anyString(), at: declared)
    }

    /// Reads a template; what is wrong is reported at a declaration.
    init(_ text: String, at declared: Declared) throws(CatalogueError) {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { parts.append(Self.text(rest[..<open])) }
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw declared.error("has a { without its }", hint: "A placeholder looks like {query}.")
            }
            let name = String(rest[rest.index(after: open)..<close])
            guard let variable = Self.variable(name) else {
                throw declared.error(
                    "{\(name)} is not known",
                    hint: "Placeholders are {query}, {sort}, {page}, {start}, {size}, {key}, {secret.NAME}, "
                        + "{setting.NAME} and {option.NAME}"
                )
            }
            parts.append(.variable(variable))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty || parts.isEmpty { parts.append(Self.text(rest)) }
        self.parts = parts
    }

    /// The placeholders of the template.
    var variables: [Variable] {
        parts.compactMap { if case .variable(let variable) = $0 { variable } else { nil } }
    }

    /// Appends the text with every placeholder filled; false, and nothing is appended, when one has no value.
    func append(to bytes: inout [UInt8], _ spelling: Spelling, _ value: (Variable) -> String?) -> Bool {
        let start = bytes.count
        for part in parts {
            switch part {
            case .text(let text, let encoded):
                let text = spelling == .form ? encoded : text
                bytes.append(text.utf8.span)
            case .variable(let variable):
                guard let text = value(variable) else {
                    bytes.removeLast(bytes.count - start)
                    return false
                }
                switch spelling {
                case .plain: bytes.append(text.utf8.span)
                case .path, .form: PercentEncoding.append(encoding: text.utf8.span, to: &bytes)
                }
            }
        }
        return true
    }

    private static func text(_ text: Substring) -> Part {
        .text(String(text), encoded: PercentEncoding.encode(text))
    }

    private static func variable(_ name: String) -> Variable? {
        switch name {
        case "query": return .query
        case "sort": return .sort
        case "page": return .page
        case "start": return .start
        case "size": return .size
        case "key": return .key
        default:
            guard let dot = name.firstIndex(of: ".") else { return nil }
            let rest = String(name[name.index(after: dot)...])
            guard !rest.isEmpty else { return nil }
            switch name[..<dot] {
            case "secret": return .secret(rest)
            case "setting": return .setting(rest)
            case "option": return .option(rest)
            default: return nil
            }
        }
    }
}
