/// What is typed key by key: searches in the words of `SearchRequests`, each as committed syllables.
enum TypedTexts {
    /// So many texts are typed in each round.
    static let count = 6

    /// The keys of each, one syllable or letter at a time.
    static let keys = (0..<count).map { SearchRequests.query($0).unicodeScalars.map { String($0) } }

    /// Every text that stands in the field while they are typed, each once.
    static let beginnings: [String] = {
        var texts: [String] = []
        for keys in keys {
            var text = ""
            for key in keys {
                text += key
                if key != " ", !texts.contains(text) { texts.append(text) }
            }
        }
        return texts
    }()
}
