import Testing

@testable import JSON

struct ByteRoomTests {
    @Test(arguments: [0, 1, 9, 10, 99, 100, 65_535, 9_999_999_999, .max] as [Int64])
    func `numbers are written as everywhere`(number: Int64) {
        var bytes: [UInt8] = []
        bytes.append(atMost: ByteRoom.digitsMax) { $0.digits(of: number) }
        #expect(String(decoding: bytes, as: UTF8.self) == "\(number)")
    }

    @Test func `pieces follow what is there, and room to spare is not kept`() {
        var bytes = Array("<".utf8)
        bytes.append(atMost: 100) { room in
            room.copy("abc")
            room.copy(1..<3, of: Array("xyz!".utf8))
            room.copy(0..<0, of: [])
            room.byte(UInt8(ascii: ">"))
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "<abcyz>")
        bytes.append(atMost: 0) { _ in }
        #expect(bytes.count == 7)
    }

    @Test func `room can be filled to its last byte`() {
        var bytes: [UInt8] = []
        bytes.append(atMost: 4) { $0.copy("full") }
        #expect(bytes.count == 4)
    }

    @Test func `a byte more than there is room for traps`() async {
        await #expect(processExitsWith: .failure) {
            var bytes: [UInt8] = []
            bytes.append(atMost: 3) { $0.copy("full") }
        }
    }
}
