/// How a text looks inside base64, wherever it begins there.
enum Base64Forms {
    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let forURLs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Three beginnings and two alphabets: only the characters that depend on nothing but the text.
    ///
    /// A form shorter than four characters is left out: it would match ordinary words.
    static func all(of bytes: [UInt8]) -> [String] {
        var forms: [String] = []
        for alphabet in [standard, forURLs] {
            for lead in 0..<3 {
                let form = core(of: bytes, lead: lead, alphabet)
                if form.count >= 4 { forms.append(String(decoding: form, as: UTF8.self)) }
            }
        }
        return forms
    }

    private static func core(of bytes: [UInt8], lead: Int, _ alphabet: [UInt8]) -> [UInt8] {
        let bits = bytes.count * 8
        // The first bit of the text that begins a character of its own.
        var bit = (6 - lead * 8 % 6) % 6
        var form: [UInt8] = []
        while bit + 6 <= bits {
            var value = 0
            for offset in bit..<bit + 6 { value = value << 1 | Int(bytes[offset / 8] >> UInt8(7 - offset % 8)) & 1 }
            form.append(alphabet[value])
            bit += 6
        }
        return form
    }
}
