import Testing

@testable import JSON

struct DigestTests {
    @Test func `a digest is the first half of the SHA-256 hash`() {
        #expect(Digest.text(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223")
        #expect(Digest.text([]) == "e3b0c44298fc1c149afbf4c8996fb924")
        #expect(Digest.text([UInt8](repeating: UInt8(ascii: "a"), count: 64)) == "ffe054fe7ae0cb6dc65c3af9b61d5209")
    }
}
