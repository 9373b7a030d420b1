import SearchModel
import Testing

@testable import Client

struct ExitStatusTests {
    @Test(arguments: [
        (ClientError.Code.usage, Int32(2)), (.noDaemon, 69), (.connectionLost, 69), (.protocolViolated, 70),
        (.interrupted, 130), (.outputClosed, 0), (.system, 70),
    ])
    func `the client's own reasons have the contract's statuses`(code: ClientError.Code, number: Int32) {
        #expect(ExitStatus(of: ClientError(code, "")).number == number)
    }

    @Test(arguments: [
        (SearchError.Kind.invalidParams, Int32(2)), (.unknownSource, 2), (.invalidRequest, 2), (.methodNotFound, 2),
        (.duplicateId, 2), (.tooDeep, 2), (.lineTooLong, 2), (.parseError, 70), (.internal, 70), (.rateLimited, 75),
        (.quotaExhausted, 75), (.unavailable, 75), (.badResponse, 75), (.timeout, 75), (.overloaded, 75),
        (.shuttingDown, 75), (.superseded, 75), (.forbidden, 77), (.unauthorized, 77), (.notConfigured, 78),
        (.notFound, 1), (.cancelled, 130),
    ])
    func `the daemon's errors have the contract's statuses`(kind: SearchError.Kind, number: Int32) {
        #expect(ExitStatus(of: ClientError(.init(kind), "")).number == number)
    }

    @Test func `an unknown kind is passing only when the daemon says so`() {
        let code = ClientError.Code(rawValue: "somethingNew")
        #expect(ExitStatus(of: ClientError(code, "", isRetryable: true)) == .tryLater)
        #expect(ExitStatus(of: ClientError(code, "", isRetryable: false)) == .defect)
        #expect(ExitStatus(of: ClientError(code, "")) == .defect)
    }
}
