import HTTP
import JSON
package import SearchModel

/// A web page that may be fetched.
///
/// Callers with equal keys share one fetch.
package struct WebPageKey: Hashable, Sendable {
    let address: ExactText
    /// If an agent reads the page, robots.txt applies.
    let isForAgent: Bool

    package init(_ address: String, isForAgent: Bool) throws(SearchError) {
        guard (try? FetchURL(escaping: address)) != nil else { throw FetchedThing.page.noAddress }
        self.address = ExactText(String(Substring(address.utf8.prefix { $0 != UInt8(ascii: "#") })))
        self.isForAgent = isForAgent
    }
}

enum WebPageType: String, CaseIterable, Sendable {
    case html = "text/html"
    case plain = "text/plain"

    init?(field: String?) {
        guard let field else {
            self = .html
            return
        }
        let name = field.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        switch name {
        case "text/html", "application/xhtml+xml", "": self = .html
        case "text/plain", "text/markdown": self = .plain
        default: return nil
        }
    }
}

extension WebPageType {
    static func charset(inField field: String?) -> String? {
        for part in (field ?? "").split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].lowercased().filter({ $0 != " " }) == "charset" else { continue }
            let label = pair[1].filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_:.".contains($0)) }
            return label.isEmpty || label.utf8.count > 40 ? nil : label.lowercased()
        }
        return nil
    }
}
