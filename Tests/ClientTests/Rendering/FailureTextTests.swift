import Testing

@testable import Client

struct FailureTextTests {
    @Test(arguments: [
        (ClientError(.usage, "it is wrong"), "searchctl: it is wrong."),
        (ClientError(.usage, "it is wrong", hint: "Do this"), "searchctl: it is wrong. Do this."),
        (ClientError(.usage, "it is wrong.", hint: "Did you mean “x”?"), "searchctl: it is wrong. Did you mean “x”?"),
        (
            ClientError(.usage, "no connection", hint: "check the network"),
            "searchctl: no connection; check the network."
        ),
        (ClientError(.usage, "others may write", hint: "chmod go-w /x"), "searchctl: others may write; chmod go-w /x"),
        (
            ClientError(.usage, "too often", hint: "Wait", source: "a.b", retryAfter: .seconds(2)),
            "searchctl: a.b: too often. It may work again in 2.0 s. Wait."
        ),
        (ClientError(.usage, "a.b has no such option", source: "a.b"), "searchctl: a.b has no such option."),
    ])
    func `an error is what is wrong and what to do`(error: ClientError, line: String) {
        #expect(FailureText.line(error) == line)
    }
}
