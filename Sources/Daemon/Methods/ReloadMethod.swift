import JSON
import RPC
import SearchModel

/// Configuration, sources and keys are read again.
struct ReloadMethod: Method {
    let permission = MethodPermission.administrators
    let description = MethodDescription.reload

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        return .session(.reload)
    }
}
