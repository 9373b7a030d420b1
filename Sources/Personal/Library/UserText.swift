import Hangul

/// Text that a user wrote, as it is kept.
enum UserText {
    /// A text on one line: NFC, single blanks, none at the ends, no control characters; nil when it has more bytes than
    /// allowed.
    static func line(_ written: String, bytesMax: Int) -> String? {
        guard written.utf8.count <= bytesMax * 4 else { return nil }
        let text = NormalForm.line(written)
        return text.utf8.count <= bytesMax ? text : nil
    }

    /// A text of several lines: NFC, no control characters but line feeds and tabs; nil when it has more bytes than
    /// allowed.
    static func lines(_ written: String, bytesMax: Int) -> String? {
        guard written.utf8.count <= bytesMax * 4 else { return nil }
        var scalars = String.UnicodeScalarView()
        for scalar in NormalForm.composed(written) {
            let isKept = scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
            if isKept { scalars.append(scalar) }
        }
        let text = String(scalars)
        return text.utf8.count <= bytesMax ? text : nil
    }
}
