import HTTP
import Testing

@testable import Catalogue

struct RetryAfterTests {
    /// 2024-03-09T11:51:51Z.
    private let now: Int64 = 1_709_985_111

    private func read(_ text: String, now: Int64? = 1_709_985_111) -> Duration? {
        RetryAfter.read(HTTPFields([("Retry-After", text)]), now: now)
    }

    @Test(arguments: [("0", 0), ("7", 7), (" 120 ", 120), ("007", 7), ("86400", 86_400)])
    func `seconds are read`(text: String, seconds: Int) {
        #expect(read(text) == .seconds(seconds))
    }

    @Test func `a date is relative to the current time`() {
        #expect(read("Sat, 09 Mar 2024 11:52:01 GMT") == .seconds(10))
        #expect(read("Sat, 09 Mar 2024 11:52:01 GMT", now: nil) == nil)
    }

    @Test(arguments: ["86401", "99999999999", "99999999999999999999999999", "Sat, 09 Mar 2094 11:52:01 GMT"])
    func `a long wait is limited to one day`(text: String) {
        #expect(read(text) == .seconds(86_400))
    }

    @Test(arguments: ["", " ", "-1", "+5", "1.5", "1e3", "soon", "Sat, 99 Mar 2024 11:52:01 GMT", "2024-03-09", "٧"])
    func `other values are ignored`(text: String) {
        #expect(read(text) == nil)
    }
}
