import JSON
import RPC
import SearchModel

/// Configuration, sources and keys are read again.
struct ReloadMethod: Method {
    /// Puts what the configuration says now in force; all of it, or nothing.
    let reload: @Sendable () throws(SearchError) -> ReloadReport

    let permission = MethodPermission.administrators
    let description = MethodDescription(
        "server/reload",
        summary: """
            Reads configuration, sources and keys again, and answers what has changed. When anything is wrong, \
            everything stays as it was, and the error's data name file, line and key. For root, the daemon's own user \
            and its adminGroup.
            """,
        result: [
            .init("changed", required: true, texts),
            .init(
                "sources",
                required: true,
                ["type": "object", "properties": ["added": texts, "removed": texts, "changed": texts]]
            ),
            .init("needsRestart", required: true, texts),
        ]
    )

    private static let texts: JSONValue = ["type": "array", "items": ["type": "string"]]

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        return .answered(.writing(try reload().write))
    }
}
