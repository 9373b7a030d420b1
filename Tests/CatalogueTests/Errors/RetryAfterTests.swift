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
    func `a wait of more than one day becomes one day`(text: String) {
        #expect(read(text) == .seconds(86_400))
    }

    @Test(arguments: ["", " ", "-1", "+5", "1.5", "1e3", "soon", "Sat, 99 Mar 2024 11:52:01 GMT", "2024-03-09", "٧"])
    func `a value that is neither seconds nor a date is ignored`(text: String) {
        #expect(read(text) == nil)
    }

    @Test(arguments: [
        ("0", "1700000060", 60), ("0", "90", 90), ("1, 0", "1, 1419", 1419), ("0,0", "1,30", 30),
        ("0", "99999999", 86_400), ("0", "1600000000", 0),
    ])
    func `if X-RateLimit-Remaining is 0, the source asks for a pause until the reset`(
        left: String,
        reset: String,
        seconds: Int64
    ) {
        let fields = HTTPFields([("x-ratelimit-remaining", left), ("X-RateLimit-Reset", reset)])
        #expect(RetryAfter.read(fields, now: 1_700_000_000) == .seconds(seconds))
    }

    @Test(arguments: [("1", "90"), ("0", ""), ("", "90"), ("x", "90"), ("1, 2", "1, 90"), ("0", "soon")])
    func `if calls remain, or if a header is invalid, the source asks for no pause`(left: String, reset: String) {
        let fields = HTTPFields([("X-RateLimit-Remaining", left), ("X-RateLimit-Reset", reset)])
        #expect(RetryAfter.read(fields, now: 1_700_000_000) == nil)
    }
}
