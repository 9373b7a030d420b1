import JSON
import RPC
import SearchModel

/// Saved items by their ids, for what also works without them.
struct SavedItems {
    private let arguments: Arguments
    private let context: Context

    init(_ arguments: Arguments, _ context: Context) {
        self.arguments = arguments
        self.context = context
    }

    /// The item of each id; nil where it is not saved, or can't be asked for.
    func items(_ ids: [String]) -> [JSONCursor?] {
        guard !ids.isEmpty else { return [] }
        let found = try? Connector(arguments, context, starting: .nothing).withExchange {
            exchange throws(ClientError) in
            var items: [JSONCursor?] = []
            for id in ids {
                let params = JSONWriter.bytes { $0.member(.id, id) }
                do throws(ClientError) {
                    let result = try exchange.ask(.libraryGet, params: params, within: LibraryCall.timeoutSeconds)
                    items.append(result[.item])
                } catch  where error.code == .init(.notFound) {
                    items.append(nil)
                }
            }
            return items
        }
        return found ?? ids.map { _ in nil }
    }
}
