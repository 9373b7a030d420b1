/// How long a mapped text may become; what is longer is cut before the first character that does not fit.
enum TextLimits {
    static let titleBytesMax = 1024
    static let snippetBytesMax = 4096
    static let nameBytesMax = 512
    static let extraBytesMax = 8192
    static let urlBytesMax = 4096
    /// Elements of one list in `extra`.
    static let listCountMax = 64
    /// Matched ranges of one text.
    static let marksCountMax = 128
    /// How far to look for the end of a tag before taking its `<` for a character.
    static let tagBytesMax = 2048
    static let entityBytesMax = 12
}
