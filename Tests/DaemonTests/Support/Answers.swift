import JSON

extension JSONValue {
    /// The kind of the error in a response; nil if there is no error.
    var errorKind: String? { self["error"]?["data"]?["kind"]?.string }

    var errorCode: Int? { self["error"]?["code"]?.int }

    var errorPath: String? { self["error"]?["data"]?["path"]?.string }

    var hint: String? { self["error"]?["data"]?["hint"]?.string }

    /// The ids of the hits in the response to a search.
    var hitIDs: [String] { (self["result"]?["hits"]?.array ?? []).compactMap { $0["id"]?.string } }

    /// Returns the entry of a source in the response to a search.
    func source(_ name: String) -> JSONValue? {
        self["result"]?["sources"]?.array?.first { $0["source"]?.string == name }
    }

    /// The name of a notification.
    var method: String? { self["method"]?.string }
}
