import EventLoop
import Glibc
import JSON
import TestSupport

/// A fake daemon.
///
/// A closure of the test gives the answers, and may block.
final class FakeDaemon: Sendable {
    typealias Answer = @Sendable (FakeCall) -> Void

    private let listener: FileDescriptor
    private let thread: WorkerThread
    private let connections: Locked<[Int32]>

    init(at path: String, _ answer: @escaping Answer) throws {
        // The path is valid during the call.
        _ = unsafe unlink(path)
        let listener = try UnixSocket.listen(at: path, backlog: 64)
        let raw = listener.raw
        // The thread waits in `accept`, so the socket must be in blocking mode.
        _ = fcntl(raw, F_SETFL, 0)
        let connections = Locked<[Int32]>([])
        thread = try WorkerThread {
            while let accepted = try? SystemCall.accept(raw) {
                let descriptor = accepted.release()
                _ = fcntl(descriptor, F_SETFL, 0)
                connections.withLock { $0.append(descriptor) }
                _ = try? WorkerThread { Self.serve(descriptor, answer) }
            }
        }
        self.listener = listener
        self.connections = connections
    }

    func stop() {
        shutdown(listener.raw, Int32(SHUT_RDWR))
        for raw in connections.withLock({ $0 }) { shutdown(raw, Int32(SHUT_RDWR)) }
        thread.join()
    }

    deinit { stop() }

    private static func serve(_ raw: Int32, _ answer: Answer) {
        var input: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        // The kernel writes at most `count` bytes into the array.
        while case let count = unsafe read(raw, &chunk, chunk.count), count > 0 {
            input += chunk[..<count]
            while let end = input.firstIndex(of: 0x0A) {
                let line = Array(input[..<end])
                input.removeFirst(end + 1)
                guard let root = try? JSONDocument(line).root.value, let method = root["method"]?.string else {
                    continue
                }
                let id = root["id"]?.int
                answer(FakeCall(method: method, params: root["params"] ?? .null, id: id, descriptor: raw))
            }
        }
    }
}

/// A request to the fake daemon, and functions that answer it.
struct FakeCall: Sendable {
    let method: String
    let params: JSONValue
    let id: Int?
    let descriptor: Int32

    func result(_ json: String) { send("{\"jsonrpc\":\"2.0\",\"id\":\(id ?? 0),\"result\":\(json)}") }

    func error(_ kind: String, _ message: String, _ more: String = "") {
        let data = "{\"kind\":\"\(kind)\"\(more)}"
        send(
            "{\"jsonrpc\":\"2.0\",\"id\":\(id ?? 0),\"error\":{\"code\":-32000,\"message\":\"\(message)\",\"data\":\(data)}}"
        )
    }

    func notify(_ method: String, _ members: String) {
        send("{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":{\"request\":\(id ?? 0),\(members)}}")
    }

    private func send(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        // The array is valid during the call. The kernel reads at most its length.
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    func answerBasics() {
        switch method {
        case "source/list": result(Self.directory)
        case "server/hello": result("{}")
        default: break
        }
    }

    static let directory = """
        {"sources":[{"source":"kakao.blog","kind":"blog","account":"kakao","enabled":true},\
        {"source":"kakao.web","kind":"web","account":"kakao","enabled":true},\
        {"source":"naver.news","kind":"news","account":"naver","enabled":false,"reason":"notConfigured"},\
        {"source":"library","kind":"own","account":"library","enabled":true,"local":true}],\
        "profiles":[{"name":"@books","sources":["kakao.web"]},{"name":"@default","sources":["kakao.web"]},\
        {"name":"@mine","sources":["kakao.blog","library"]}]}
        """

    static let found = """
        {"query":"고양이","sort":"relevance","hits":[\
        {"id":"kakao.web:1","source":"kakao.web","kind":"web","title":"첫 고양이","snippet":"짧은 글","rank":1,\
        "url":"https://one.example/a;p?x=1#f","published":"2024-03-09T11:51:51+09:00","alsoFrom":["kakao.blog"],\
        "thumbnail":"https://one.example/t.jpg","marks":{"title":[[2,5]]}},\
        {"id":"kakao.blog:2","source":"kakao.blog","kind":"blog","title":"=둘째, \\"인용\\"","rank":2,"url":"http://two.example/"}],\
        "sources":[{"source":"kakao.web","status":"ok","count":1,"end":false,"elapsed":1},\
        {"source":"naver.news","status":"failed","count":0,"end":false,"elapsed":1,\
        "error":{"code":-32005,"message":"answered 503","data":{"kind":"unavailable"}}}],\
        "next":"NEXT","complete":false,"saved":["kakao.web:1"],"didYouMean":["내 검색"],"elapsed":1}
        """
}

func shutdownBoth(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_RDWR))
}
