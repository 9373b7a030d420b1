import JSON
import Testing

@testable import Client

struct TraceTextTests {
    private func lines(_ step: String, columns: Int? = 60) throws -> [String] {
        TraceText.lines(try JSONDocument(Array(step.utf8)).root, columns: columns)
    }

    @Test func `an age has its unit`() throws {
        let step = #"{"at":0.2,"source":"a.b","event":"cacheHit","age":35439.9}"#
        #expect(try lines(step, columns: 80) == ["   0.2 ms  a.b cacheHit: age 9 h"])
    }

    @Test func `times and sizes have units`() throws {
        let step =
            #"{"at":27.1,"source":"a.b","event":"answered","page":0,"status":200,"bytes":50920,"elapsed":1250.4}"#
        #expect(
            try lines(step, columns: 80) == ["    27 ms  a.b answered: page 0, status 200, 50 KiB, elapsed 1.3 s"]
        )
    }

    @Test func `what does not fit goes on in its column`() throws {
        let step = #"{"at":261.0,"source":"a.b","event":"merged","score":1.7,"parts":{"text":1.2,"rank":0.35}}"#
        #expect(
            try lines(step, columns: 40) == [
                "   261 ms  a.b merged: score 1.7, parts", "           (text 1.2, rank 0.35)",
            ]
        )
    }

    @Test func `where no terminal sets a width each step is one line`() throws {
        let step = #"{"at":0.5,"event":"plan","words":"\#(String(repeating: "x ", count: 200))"}"#
        #expect(try lines(step, columns: nil).count == 1)
    }
}
