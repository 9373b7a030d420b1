import Testing

@testable import Personal

@Suite("When changes are committed")
struct CommitPaceTests {
    @Test func `one client alone never waits`() {
        var pace = CommitPace()
        for _ in 0..<3 {
            #expect(pace.wait(with: 1) == nil)
            pace.committed(1, in: .milliseconds(3))
        }
    }

    @Test func `as many are awaited as came together before, for half a commit's time`() {
        var pace = CommitPace()
        pace.committed(15, in: .milliseconds(1))
        #expect(pace.wait(with: 1) == .microseconds(500) && pace.wait(with: 14) == .microseconds(500))
        #expect(pace.wait(with: 15) == nil && pace.wait(with: 16) == nil)
        pace.committed(1, in: .milliseconds(1))
        #expect(pace.wait(with: 1) == nil)
    }

    @Test func `slow disks are not made slower without end`() {
        var pace = CommitPace()
        pace.committed(2, in: .seconds(3))
        #expect(pace.wait(with: 1) == CommitPace.waitMax)
    }
}
