import Testing

@testable import HTTP

struct FetchRequestTests {
    private func code(_ request: HTTPRequest) -> FetchError.Code? {
        do throws(FetchError) {
            _ = try FetchRequest(request).firstHop()
            return nil
        } catch {
            #expect(!error.message.contains("secret"))
            return error.code
        }
    }

    private func code(field name: String, _ value: String) -> FetchError.Code? {
        code(HTTPRequest(url: "http://h/", fields: HTTPFields([(name, value)])))
    }

    @Test func `the first hop has the URL, method, fields and body of its request`() throws {
        let fields = HTTPFields([("X-Key", "k"), ("Accept", "고양이")])
        let request = HTTPRequest(method: "POST", url: "http://h/", fields: fields, body: [1])
        let hop = try FetchRequest(request).firstHop()
        #expect(hop == Hop(url: try FetchURL("http://h/"), method: "POST", fields: fields, body: [1]))
    }

    @Test(arguments: ["a\r\nX: secret", "secret\n", "\0secret", "\u{7F}"])
    func `a value with a control character is refused`(value: String) {
        #expect(code(field: "X-Key", value) == .invalidRequest)
    }

    @Test(arguments: ["", "X Key", "X:Key", "X-Key\r\n", "키", "(x)"])
    func `a name that is not a token is refused`(name: String) {
        #expect(code(field: name, "secret") == .invalidRequest)
    }

    @Test(arguments: ["", "GET /secret HTTP/1.1\r\n", "PUT"])
    func `only GET and POST can be sent`(method: String) {
        #expect(code(HTTPRequest(method: method, url: "http://h/")) == .invalidRequest)
    }

    @Test func `a GET with a body is refused`() {
        #expect(code(HTTPRequest(url: "http://h/", body: [1])) == .invalidRequest)
    }

    @Test func `the error for an invalid URL does not contain the URL`() {
        #expect(code(HTTPRequest(url: "http://h /?key=secret")) == .invalidURL)
    }
}
