import CPlatform
import CXML2
import Glibc

/// The character encoding of a page.
///
/// It is found from the bytes, because declarations are often wrong.
struct Charset: Equatable {
    let name: String

    static let utf8 = Charset(name: "UTF-8")
    static let korean = Charset(name: "CP949")
    static let western = Charset(name: "CP1252")

    /// The encodings that browsers use for the declared names.
    private static let aliases: [String: String] = [
        "utf-8": "UTF-8", "utf8": "UTF-8", "unicode-1-1-utf-8": "UTF-8",
        "euc-kr": "CP949", "euckr": "CP949", "ks_c_5601-1987": "CP949", "ks_c_5601-1989": "CP949", "ksc5601": "CP949",
        "ksc_5601": "CP949", "korean": "CP949", "cp949": "CP949", "ms949": "CP949", "windows-949": "CP949",
        "x-windows-949": "CP949", "uhc": "CP949",
        "iso-8859-1": "CP1252", "latin1": "CP1252", "us-ascii": "CP1252", "ascii": "CP1252",
        "windows-1252": "CP1252", "iso8859-1": "CP1252",
        "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932", "windows-31j": "CP932",
        "euc-jp": "EUC-JP-MS", "gb2312": "GB18030", "gbk": "GB18030", "gb18030": "GB18030", "big5": "BIG5-HKSCS",
        "utf-16": "UTF-16LE", "utf-16le": "UTF-16LE", "utf-16be": "UTF-16BE",
        "windows-1250": "CP1250", "windows-1251": "CP1251", "koi8-r": "KOI8-R", "iso-8859-2": "ISO-8859-2",
        "iso-8859-15": "ISO-8859-15", "iso-2022-kr": "ISO-2022-KR", "iso-2022-jp": "ISO-2022-JP",
    ]
    private static let headBytesMax = 4096

    private init(name: String) { self.name = name }

    init?(label: String) {
        let label = label.trimmingBlanks.lowercased()
        guard let name = Self.aliases[label] else { return nil }
        self.name = name
    }

    /// Trusts the bytes of the page more than the declarations.
    init(of page: [UInt8], label: String?) {
        let declared = Self.declared(page, label)
        if page.starts(with: [0xFF, 0xFE]) {
            self.init(name: "UTF-16LE")
        } else if page.starts(with: [0xFE, 0xFF]) {
            self.init(name: "UTF-16BE")
        } else if Self.utf8.damage(of: page).wrong == 0, !declared.contains(where: \.isStateful) {
            self = .utf8
        } else if let found = declared.first(where: { $0 != .utf8 && $0 != .western }), found.damage(of: page).isSmall {
            self = found
        } else if Self.utf8.damage(of: page).isSmall {
            self = .utf8
        } else if Self.korean.damage(of: page).isSmall {
            self = .korean
        } else {
            self = declared.first { $0 != .utf8 } ?? .western
        }
    }

    private static func declared(_ page: [UInt8], _ label: String?) -> [Charset] {
        let named = [label, labelInside(page)].compactMap { $0.flatMap(Charset.init(label:)) }
        return named.filter { !$0.name.hasPrefix("UTF-16") || page.contains(0) }
    }

    /// Loads the tables of iconv, because the program cannot open files later.
    static func prepare(for page: [UInt8], label: String?) {
        let declared = declared(page, label)
        guard utf8.damage(of: page).wrong > 0 || declared.contains(where: \.isStateful) else { return }
        for charset in declared + [.korean, .western, Charset(name: "UTF-16LE"), Charset(name: "UTF-16BE")] {
            // The tables stay loaded only while a converter is open, so the converters are never closed.
            _ = unsafe iconv_open("UTF-8", charset.name)
        }
    }

    private var isStateful: Bool { name.hasPrefix("ISO-2022") || name.hasPrefix("UTF-16") }

    private static func labelInside(_ page: [UInt8]) -> String? {
        let head = page.prefix(headBytesMax).map { $0 < 0x80 ? $0 | ($0.isCapital ? 0x20 : 0) : UInt8(ascii: "?") }
        let text = Substring(String(decoding: head, as: UTF8.self))
        for word in ["charset=", "encoding="] {
            guard let place = text.firstRange(of: word) else { continue }
            let rest = text[place.upperBound...].drop { $0 == "\"" || $0 == "'" || $0 == " " }
            let label = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
            if !label.isEmpty { return String(label) }
        }
        return nil
    }

    private struct Damage {
        var wrong: Int
        /// The number of bytes that are not ASCII.
        var above: Int

        /// Whether the encoding may be right despite some wrong bytes.
        ///
        /// A cut page may end within a character.
        var isSmall: Bool { wrong * 50 <= above || wrong == 1 && above > 5 }
    }

    private func damage(of page: [UInt8]) -> Damage {
        let above = page.count { $0 >= 0x80 }
        return Damage(wrong: above == 0 ? 0 : decoded(page)?.wrong ?? page.count, above: above)
    }

    func text(of page: [UInt8]) -> [UInt8] {
        let text = decoded(page)?.text ?? Array(String(decoding: page, as: UTF8.self).utf8)
        return text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    }

    /// Returns nil if the system lacks the encoding.
    ///
    /// The name and the converter are valid during the calls.
    private func decoded(_ page: [UInt8]) -> (text: [UInt8], wrong: Int)? {
        let converter = unsafe iconv_open("UTF-8", name)
        guard unsafe cxml2_is_open(converter) != 0 else { return nil }
        defer { unsafe iconv_close(converter) }
        var input = page
        var text: [UInt8] = []
        text.reserveCapacity(page.count + page.count / 2)
        var piece = [CChar](repeating: 0, count: 32 << 10)
        var wrong = 0
        // The copy of the page is valid during the loop. iconv reads it and advances `next`.
        unsafe input.withUnsafeMutableBytes { bytes in
            var next = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = bytes.count
            while left > 0 {
                var failure: Int32 = 0
                // Both buffers are valid during the call, which advances the pointers within the given lengths.
                let written = unsafe piece.withUnsafeMutableBufferPointer { buffer in
                    var output = buffer.baseAddress
                    var room = buffer.count
                    if unsafe iconv(converter, &next, &left, &output, &room) == -1 { failure = platform_errno() }
                    return buffer.count - room
                }
                text += piece.prefix(written).lazy.map { UInt8(bitPattern: $0) }
                guard failure == EILSEQ || failure == EINVAL else { continue }
                wrong += 1
                text += [0xEF, 0xBF, 0xBD]
                if failure == EINVAL { break }
                let skipped = min(left, name.hasPrefix("UTF-16") ? 2 : 1)
                unsafe next = next.map { unsafe $0 + skipped }
                left -= skipped
            }
        }
        return (text, wrong)
    }
}

extension UInt8 {
    var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}

extension StringProtocol {
    var trimmingBlanks: String {
        var rest = Substring(self)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
