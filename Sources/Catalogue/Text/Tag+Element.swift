extension Tag {
    private static let searchMatch = ByteSearch(Array("searchmatch".utf8))

    /// True for the class that MediaWiki gives to what matched.
    static func isSearchMatch(_ tag: Span<UInt8>) -> Bool {
        searchMatch.isFound(in: tag)
    }

    /// Behind the closing tag of the same name; of an element that is never closed, the end of the text.
    ///
    /// - Complexity: O(n) in the bytes that follow.
    func endOfElement(in bytes: Span<UInt8>) -> Int {
        var index = end
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), let tag = Tag(bytes, at: index) {
                if tag.isClosing, tag.name == name { return tag.end }
                index = tag.end
            } else {
                index += 1
            }
        }
        return bytes.count
    }
}
