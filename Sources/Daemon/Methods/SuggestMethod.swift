import EventLoop
import JSON
import Personal
import RPC
import SearchModel

/// What a user may be about to type.
struct SuggestMethod: Method {
    let description = MethodDescription.suggest
    let permission = MethodPermission.ownData
    let capabilities = ["suggest"]
    let data: PersonalData

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        var parameters = try Parameters(call.params)
        let prefix = try parameters.requiredString(.prefix)
        guard prefix.utf8.count <= SearchQuery.bytesMax else {
            throw parameters.mismatch(.prefix, "at most \(SearchQuery.bytesMax) bytes long")
        }
        let limit = try parameters.integer(.limit, in: WireBounds.limit) ?? WireBounds.suggestLimitDefault
        try parameters.finish()
        if let found = user.suggestions.known(for: prefix, limit: limit) { return .answered(Self.reply(found)) }
        return .running(channel: nil) { _ throws(SearchError) in
            Self.reply(
                try await user.use { _ throws(SearchError) in
                    try await user.suggestions.find(prefix, limit: limit)
                }
            )
        }
    }

    private static func reply(_ suggestions: [Suggestion]) -> Reply {
        .writing { writer in
            writer.object { writer in
                writer.array(.suggestions) { writer in
                    for suggestion in suggestions {
                        writer.object { writer in
                            writer.member(.text, suggestion.text)
                            writer.member(.kind, suggestion.kind.rawValue)
                            writer.member(.count, suggestion.count)
                            writer.member(.at, Milliseconds.text(suggestion.at))
                        }
                    }
                }
            }
        }
    }
}
