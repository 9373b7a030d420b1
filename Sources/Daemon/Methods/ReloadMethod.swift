import JSON
import RPC
import SearchModel

/// Configuration, sources and keys are read again.
struct ReloadMethod: Method {
    /// Puts what the configuration says now in force; all of it, or nothing.
    let reload: @Sendable () throws(SearchError) -> ReloadReport

    let permission = MethodPermission.administrators
    let description = MethodDescription.reload

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        return .answered(.writing(try reload().write))
    }
}
