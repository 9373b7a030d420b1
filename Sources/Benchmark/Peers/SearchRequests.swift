/// The searches that all peers are asked for, in rotation.
enum SearchRequests {
    /// So many different queries, and as many different keys.
    static let count = 256

    /// The text of one of them: two words, of all of which the sandbox knows much about.
    static func query(_ index: Int) -> String {
        "\(places[index / things.count % places.count]) \(thing(index))"
    }

    /// One word, of which the sandbox knows more still.
    static func thing(_ index: Int) -> String {
        things[index % things.count]
    }

    private static let places = [
        "family", "garden", "river", "music", "camera", "winter", "bread", "piano", "museum", "bicycle", "novel",
        "coffee",
        "train", "castle", "history", "market",
    ]
    private static let things = [
        "cat", "dog", "travel", "photo", "movie", "song", "robot", "chess", "park", "walk", "letter", "school", "gift",
        "hotel", "summer", "고양이",
    ]

    /// What stands before the id.
    static let head = Array(#"{"jsonrpc":"2.0","id":"#.utf8)

    /// What follows the id in a search for `query`.
    static func tail(query: String, maxAge: Int = 86_400) -> [UInt8] {
        let parameters = #""query":"\#(query)","sources":["kakao.blog"],"limit":10,"maxAge":\#(maxAge)"#
        return Array(#","method":"search","params":{\#(parameters)}}"#.utf8) + [UInt8(ascii: "\n")]
    }
}
