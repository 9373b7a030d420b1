import RPC
import SearchModel
import Testing

struct ErrorCodeTests {
    static let contract: [(Int, [String])] = [
        (-32700, ["parseError"]),
        (-32600, ["invalidRequest", "lineTooLong", "tooDeep", "duplicateId"]),
        (-32601, ["methodNotFound"]),
        (-32602, ["invalidParams"]),
        (-32603, ["internal"]),
        (-32800, ["cancelled", "superseded"]),
        (-32001, ["unknownSource"]),
        (-32002, ["notConfigured", "unauthorized"]),
        (-32003, ["rateLimited"]),
        (-32004, ["quotaExhausted"]),
        (-32005, ["unavailable"]),
        (-32006, ["badResponse"]),
        (-32007, ["timeout"]),
        (-32008, ["overloaded"]),
        (-32009, ["shuttingDown"]),
        (-32010, ["notFound"]),
        (-32011, ["forbidden"]),
    ]

    @Test(arguments: contract) func `every kind has the contract's number`(number: Int, kinds: [String]) {
        for kind in kinds { #expect(ErrorCode.number(of: SearchError.Kind(rawValue: kind)) == number) }
    }

    @Test func `a kind that nobody knows is a defect here`() {
        #expect(ErrorCode.number(of: SearchError.Kind(rawValue: "fromTheFuture")) == -32603)
    }
}
