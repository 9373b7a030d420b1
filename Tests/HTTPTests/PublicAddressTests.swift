import HTTP
import Testing

struct PublicAddressTests {
    @Test func `local and private addresses are refused, even if they are mapped into IPv6`() {
        #expect(PublicAddress.objection(to: [127, 0, 0, 1]) != nil)
        #expect(PublicAddress.objection(to: [9, 255, 255, 255]) == nil)
        #expect(PublicAddress.objection(to: [10, 0, 0, 0]) != nil)
        #expect(PublicAddress.objection(to: [10, 255, 255, 255]) != nil)
        #expect(PublicAddress.objection(to: [11, 0, 0, 0]) == nil)
        #expect(PublicAddress.objection(to: []) != nil)
        #expect(PublicAddress.objection(to: [1, 2, 3]) != nil)
        #expect(PublicAddress.objection(to: [UInt8](repeating: 0, count: 16)) != nil)
        #expect(PublicAddress.objection(to: [0x26, 0x06] + [UInt8](repeating: 0, count: 13) + [1]) == nil)
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        #expect(PublicAddress.objection(to: mapped + [169, 254, 169, 254]) != nil)
        #expect(PublicAddress.objection(to: mapped + [8, 8, 8, 8]) == nil)
    }
}
