import JSON

extension JSONValue {
    /// The kind of an answer's error; nil when it is none.
    var errorKind: String? { self["error"]?["data"]?["kind"]?.string }

    var errorCode: Int? { self["error"]?["code"]?.int }

    var errorPath: String? { self["error"]?["data"]?["path"]?.string }

    var hint: String? { self["error"]?["data"]?["hint"]?.string }

    /// The ids of the hits of a search's answer.
    var hitIDs: [String] { (self["result"]?["hits"]?.array ?? []).compactMap { $0["id"]?.string } }

    /// The entry of a source in a search's answer.
    func source(_ name: String) -> JSONValue? {
        self["result"]?["sources"]?.array?.first { $0["source"]?.string == name }
    }

    /// The method of a notification.
    var method: String? { self["method"]?.string }
}
