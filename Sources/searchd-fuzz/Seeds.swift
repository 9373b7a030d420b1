import Benchmark
import EventLoop
import Glibc

/// The first inputs of the fuzzer: lines with a hostile text in different positions.
enum Seeds {
    private static let parameters = [
        "query", "sources", "kinds", "sort", "offset", "limit", "cursor", "stream", "raw", "maxAge", "offline",
        "timeout", "wait", "channel", "debounce", "options", "priority", "filter", "private", "explain",
        "history", "client", "source", "id", "jsonrpc", "method", "params",
    ]
    private static let methods = [
        "search", "source/list", "cache/stats", "cache/clear", "server/hello", "server/ping", "server/stats",
        "server/metrics", "server/reload", "rpc.discover", "$/cancelRequest", "search/lookup", "search/suggest",
        "library/save", "library/list", "history/list", "watch/add", "image/get", "initialize", "tools/call",
    ]
    private static let values = [
        "kakao.blog", "naver.image", "kakao.*", "@default", "relevance", "recency", "title", "interactive",
        "background", "all", "enough", "2.0", "true", "false", "null", "1e309", "-0", "18446744073709551616",
        "\\ud83d", "\\u0000",
    ]

    static func write(to directory: String) -> Int32 {
        // The path is valid during the call.
        _ = unsafe mkdir("\(directory)/corpus", 0o700)
        var isWritten = true
        for (number, seed) in seeds.enumerated() {
            isWritten = put(seed, in: "\(directory)/corpus/seed-\(number)") && isWritten
        }
        let words = (parameters + methods + values).map { word in
            "\"" + word.flatMap { $0 == "\\" ? "\\\\" : String($0) } + "\"\n"
        }
        let units = Expansion.units.indices.map { "\"\\xFF\\x\(hexadecimal($0))\\x80\"\n" }
        return put(Array((words + units).joined().utf8), in: "\(directory)/dictionary") && isWritten ? 0 : 1
    }

    private static var seeds: [[UInt8]] {
        let searches = parameters.flatMap { name in
            [
                seed("search", #"{"query":"a","\#(name)":"%"}"#),
                seed("search", #"{"query":"a","\#(name)":["%","%"]}"#),
                seed("search", #"{"query":"a","\#(name)":{"%":"%"}}"#),
            ]
        }
        let calls = methods.flatMap { method in
            parameters.suffix(6).map { seed(method, #"{"\#($0)":"%"}"#) } + [seed(method, #"{"%":1,"%":1}"#)]
        }
        return searches + calls + [filled("[%1]"), filled("%"), filled("[%]"), filled(#"{"id":"%","method":"%"}"#)]
    }

    private static func seed(_ method: String, _ params: String) -> [UInt8] {
        filled(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#)
    }

    private static func filled(_ template: String) -> [UInt8] {
        template.utf8.flatMap { $0 == UInt8(ascii: "%") ? [Expansion.escape, 0, 8] : [$0] }
    }

    private static func hexadecimal(_ value: Int) -> String {
        (value < 16 ? "0" : "") + String(value, radix: 16)
    }

    private static func put(_ bytes: [UInt8], in path: String) -> Bool {
        (try? SystemCall.write(bytes, to: path)) != nil
    }
}
