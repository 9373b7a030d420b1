import SearchModel

/// The known word that a mistyped or abbreviated one was most likely meant to be.
enum NearestWord {
    /// The nearest of the candidates; nil when none is near enough to be worth naming.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        if let near = NearestName.of(word, among: candidates) { return near }
        return word.utf8.count < 2 ? nil : candidates.first { $0.hasPrefix(word) }
    }
}
