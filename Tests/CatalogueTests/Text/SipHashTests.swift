import TestSupport
import Testing

@testable import Catalogue

struct SipHashTests {
    private func text(of text: String, after prefix: String = "") -> String {
        SipHash.text(of: text.utf8.span, after: prefix)
    }

    @Test(arguments: [
        (0, 0x726F_DB47_DD0E_0E31 as UInt64), (1, 0x74F8_39C5_93DC_67FD), (8, 0x93F5_F579_9A93_2462),
        (15, 0xA129_CA61_49BE_45E5),
    ])
    func `it is SipHash-2-4`(_ count: Int, _ expected: UInt64) {
        let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
        let bytes = (0..<count).map(UInt8.init)
        let hash = SipHash.hash(bytes.span, key: key)
        let both = SipHash.hashes(bytes.span, keys: (SipHash.key, key))
        let own = SipHash.hash(bytes.span)
        #expect(hash == expected)
        #expect(both.first == own)
        #expect(both.second == expected)
    }

    @Test func `a number has sixteen digits`() {
        var random = SeededGenerator(seed: testSeed())
        for number in [0, 1, 0x9A, 0x0123_4567_89AB_CDEF, .max]
            + (0..<200).map({ _ in UInt64.random(in: 0...(.max), using: &random) })
        {
            var digits: [UInt8] = []
            SipHash.append(number, to: &digits)
            let short = String(number, radix: 16)
            #expect(String(decoding: digits, as: UTF8.self) == String(repeating: "0", count: 16 - short.count) + short)
        }
    }

    @Test func `its text is sixteen digits, the same for ever`() {
        #expect(text(of: "").utf8.count == 16)
        #expect(text(of: "blog.example.com/1", after: "kakao.blog:") == "kakao.blog:" + text(of: "blog.example.com/1"))
    }
}
