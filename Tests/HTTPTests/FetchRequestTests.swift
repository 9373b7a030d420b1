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

    @Test func `a valid request becomes its first hop`() throws {
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

    @Test(arguments: ["Content-Length", "transfer-encoding", "Connection", "Host", "Expect", "Upgrade"])
    func `a field that frames the message is refused`(name: String) {
        #expect(code(field: name, "secret") == .invalidRequest)
    }

    @Test(arguments: ["", "GET /secret HTTP/1.1\r\n", "G T"])
    func `a method that is not a token is refused`(method: String) {
        #expect(code(HTTPRequest(method: method, url: "http://h/")) == .invalidRequest)
    }

    @Test(arguments: ["GET", "HEAD"])
    func `a method without a body must not have one`(method: String) {
        #expect(code(HTTPRequest(method: method, url: "http://h/", body: [1])) == .invalidRequest)
    }

    @Test func `a URL that is not valid is refused without repeating it`() {
        #expect(code(HTTPRequest(url: "http://h /?key=secret")) == .invalidURL)
    }

    // MARK: Limits

    @Test func `the size of a body is limited`() {
        let largest = [UInt8](repeating: 0, count: FetchRequest.bodyBytesMax)
        #expect(code(HTTPRequest(method: "POST", url: "http://h/", body: largest)) == nil)
        #expect(code(HTTPRequest(method: "POST", url: "http://h/", body: largest + [0])) == .invalidRequest)
    }

    @Test func `the number of fields is limited`() {
        let most = Array(repeating: ("A", "1"), count: FetchRequest.fieldsMax)
        #expect(code(HTTPRequest(url: "http://h/", fields: HTTPFields(most))) == nil)
        #expect(code(HTTPRequest(url: "http://h/", fields: HTTPFields(most + [("A", "1")]))) == .invalidRequest)
    }

    @Test func `the size of a field is limited`() {
        let longest = String(repeating: "v", count: FetchRequest.fieldBytesMax - 1)
        #expect(code(field: "A", longest) == nil)
        #expect(code(field: "A", longest + "v") == .invalidRequest)
    }
}
