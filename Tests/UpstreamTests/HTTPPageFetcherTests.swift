import Testing

@testable import Upstream

struct HTTPPageFetcherTests {
    @Test func `a long answer leaves the loop to be decoded, a short one stays`() {
        #expect(HTTPPageFetcher.isDecodedOnLoop(0))
        #expect(HTTPPageFetcher.isDecodedOnLoop(HTTPPageFetcher.bytesOnLoopMax))
        #expect(!HTTPPageFetcher.isDecodedOnLoop(HTTPPageFetcher.bytesOnLoopMax + 1))
    }
}
