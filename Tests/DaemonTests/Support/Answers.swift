import JSON

extension JSONValue {
    /// The kind of the error in a response, or nil.
    var errorKind: String? { self["error"]?["data"]?["kind"]?.string }

    var errorCode: Int? { self["error"]?["code"]?.int }

    var errorPath: String? { self["error"]?["data"]?["path"]?.string }

    var hint: String? { self["error"]?["data"]?["hint"]?.string }

    /// The ids of the hits in a search response.
    var hitIDs: [String] { (self["result"]?["hits"]?.array ?? []).compactMap { $0["id"]?.string } }

    /// Returns the entry of a source in a search response.
    func source(_ name: String) -> JSONValue? {
        self["result"]?["sources"]?.array?.first { $0["source"]?.string == name }
    }

    /// The method of a notification.
    var method: String? { self["method"]?.string }
}
