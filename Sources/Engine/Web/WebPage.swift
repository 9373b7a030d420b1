package import EventLoop
import HTTP
import JSON
package import SearchModel

/// A web page that may be fetched; callers with equal keys share one fetch.
package struct WebPageKey: Hashable, Sendable {
    let address: ExactText
    /// Whether the site's robots.txt applies, because a program without a user reads the page.
    let isForAgent: Bool

    /// Throws `forbidden` for an address that must not be fetched.
    package init(_ address: String, isForAgent: Bool) throws(SearchError) {
        guard (try? FetchURL(escaping: address)) != nil else { throw FetchedThing.page.noAddress }
        self.address = ExactText(String(Substring(address.utf8.prefix { $0 != UInt8(ascii: "#") })))
        self.isForAgent = isForAgent
    }
}

package enum WebPageType: String, CaseIterable, Sendable {
    case html = "text/html"
    case plain = "text/plain"

    /// Parses the Content-Type of a response; a missing type is HTML, and an unsupported type is nil.
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

/// A fetched page; it is never parsed.
package final class WebPage: CachedFile, Sendable {
    /// The address after redirects.
    package let url: String
    package let type: WebPageType
    package let charset: String?
    /// The page as base64.
    package let text: [UInt8]
    package let byteCount: Int
    package let fetchedAt: Instant
    let bytesUsed: Int

    private static let ownBytes = 1024

    init(url: String, _ type: WebPageType, charset: String?, text: [UInt8], byteCount: Int, fetchedAt: Instant) {
        (self.url, self.type, self.charset) = (url, type, charset)
        (self.text, self.byteCount, self.fetchedAt) = (text, byteCount, fetchedAt)
        bytesUsed = Self.ownBytes + text.count + url.utf8.count
    }

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
