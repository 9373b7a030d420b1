import JSON
import Testing

struct SipHashTests {
    @Test(arguments: [
        (0, 0x726F_DB47_DD0E_0E31 as UInt64), (1, 0x74F8_39C5_93DC_67FD), (8, 0x93F5_F579_9A93_2462),
        (15, 0xA129_CA61_49BE_45E5),
    ])
    func `the hash has the published values of SipHash-2-4`(_ count: Int, _ expected: UInt64) {
        let bytes = (0..<count).map(UInt8.init)
        #expect(SipHash.hash(bytes.span, key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)) == expected)
    }
}
