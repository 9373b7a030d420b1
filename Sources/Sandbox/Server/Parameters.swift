import HTTP
import JSON

/// The parameters of a query string, decoded.
struct Parameters: Equatable, Sendable {
    private(set) var list: [(name: String, value: String)] = []
    /// True when an escape was broken or the bytes were not UTF-8; such a parameter is left out.
    private(set) var isMalformed = false

    init(_ query: Substring) {
        for pair in query.split(separator: "&") {
            let cut = pair.firstIndex(of: "=") ?? pair.endIndex
            let name = PercentEncoding.decode(pair[..<cut], plusIsBlank: true)
            let text = cut == pair.endIndex ? "" : pair[pair.index(after: cut)...]
            if let name, let value = PercentEncoding.decode(text, plusIsBlank: true) {
                list.append((name, value))
            } else {
                isMalformed = true
            }
        }
    }

    /// The first value of a name.
    subscript(name: String) -> String? {
        list.first { $0.name == name }?.value
    }

    static func == (left: Parameters, right: Parameters) -> Bool {
        left.isMalformed == right.isMalformed && left.list.elementsEqual(right.list) { $0 == $1 }
    }
}
