import JSON

/// Reads parts of the daemon's answers.
extension JSONValue {
    var errorKind: String? { self["error"]?["data"]?["kind"]?.string }

    var errorCode: Int? { self["error"]?["code"]?.int }

    var errorPath: String? { self["error"]?["data"]?["path"]?.string }

    var hint: String? { self["error"]?["data"]?["hint"]?.string }

    var hitIDs: [String] { (self["result"]?["hits"]?.array ?? []).compactMap { $0["id"]?.string } }

    func source(_ name: String) -> JSONValue? {
        self["result"]?["sources"]?.array?.first { $0["source"]?.string == name }
    }

    var method: String? { self["method"]?.string }
}
