import JSON
import RPC
import SearchModel

/// Finds a saved item by its id or a beginning of it, which the daemon does not look for: it lists those of the sources
/// that fit.
struct SavedBeginning {
    /// So many items are looked through at most.
    static let itemsMax = 10_000
    private static let pageItemsMax = 1000

    let arguments: Arguments
    let context: Context

    /// The only item whose id begins so, or the one whose id it is; nil when there is none.
    ///
    /// - Throws: `usage` when several begin so; what the daemon says.
    func item(_ word: String) throws(ClientError) -> JSONCursor? {
        guard let pattern = Self.pattern(word) else { return nil }
        do throws(ClientError) {
            return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
                if HitSelection.isID(word), let item = try exchange.savedItem(word) { return item }
                return try beginning(word, pattern, &exchange)
            }
        } catch {
            throw LibraryCall.inWords(error)
        }
    }

    /// The same, and nil when the daemon can't be asked: what was listed is known without it.
    func itemIfAny(_ word: String) throws(ClientError) -> JSONCursor? {
        do throws(ClientError) {
            return try item(word)
        } catch  where error.code != .usage {
            return nil
        }
    }

    /// The sources that an id with this beginning may have; nil when there are none.
    static func pattern(_ word: String) -> String? {
        let bytes = Array(word.utf8)
        let name = bytes.prefix { $0 != UInt8(ascii: ":") }
        let isName = name.allSatisfy {
            $0.isSmallLetter || $0.isDigit || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
        }
        guard !name.isEmpty, name.count <= SourceName.bytesMax, isName else { return nil }
        let source = String(decoding: name, as: UTF8.self)
        return name.count == bytes.count ? source + "*" : SourceName(source)?.text
    }

    private func beginning(
        _ word: String,
        _ pattern: String,
        _ exchange: inout DaemonConnection
    ) throws(ClientError) -> JSONCursor? {
        var found: [JSONCursor] = []
        var cursor: String?
        var looked = 0
        repeat {
            let params = JSONWriter.bytes { writer in
                writer.member(.sources, [pattern])
                writer.member(.limit, Self.pageItemsMax)
                writer.member(.cursor, cursor)
            }
            let page = try exchange.ask(.libraryList, params: params, within: LibraryCall.timeoutSeconds)
            let items = page[.items]?.elements ?? []
            looked += items.count
            found += items.filter { $0[.id]?.string?.utf8.starts(with: word.utf8) ?? false }
            cursor = page[.next]?.string
            // What has no key yet begins all of them.
            if found.count > 1, !word.utf8.contains(UInt8(ascii: ":")) {
                throw HitSelection.ambiguous(word, among: found, count: page[.total]?.int ?? found.count)
            }
        } while cursor != nil && looked < Self.itemsMax
        if cursor != nil {
            throw ClientError(
                .usage,
                "more than \(FigureText.grouped(Self.itemsMax)) saved items are from \(pattern)",
                hint: "Give the whole id."
            )
        }
        guard found.count <= 1 else { throw HitSelection.ambiguous(word, among: found, count: found.count) }
        return found.first
    }
}

extension DaemonConnection {
    /// The saved item with an id; nil when there is none.
    mutating func savedItem(_ id: String) throws(ClientError) -> JSONCursor? {
        do throws(ClientError) {
            let params = JSONWriter.bytes { $0.member(.id, id) }
            return try ask(.libraryGet, params: params, within: LibraryCall.timeoutSeconds)[.item]
        } catch  where error.code == .init(.notFound) {
            return nil
        }
    }
}
