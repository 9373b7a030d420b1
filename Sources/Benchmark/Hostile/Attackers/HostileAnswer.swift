/// What a hostile source sends instead of hits, chosen by the number in the query.
struct HostileAnswer: Sendable {
    let name: String
    let head: String
    let body: [UInt8]
    /// The body is repeated until the other side closes the connection.
    var isEndless = false
    /// Left out of short runs.
    var isForLongRuns = false

    /// The beginning of a query that brings this answer.
    static func query(_ index: Int) -> String { "hostile\(index)x" }

    static func chosen(by request: [UInt8]) -> HostileAnswer? {
        let span = request.span
        return all.indices.first { span.contains(Array(query($0).utf8)) }.map { all[$0] }
    }

    private static let errorBytes = 1_600_000
    private static let headerBytes = 1 << 20
    private static let titleBytes = 30 * 1024
    private static let titles = 50
    private static let endlessBytes = 1 << 20

    static let all: [HostileAnswer] =
        [
            refusal("marks", HostileText.all[0]),
            refusal("escaped marks", HostileText.all[1]),
            refusal("entities", HostileText.all[6]),
            HostileAnswer(
                name: "a header of 1 MiB",
                head: "HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "a", count: headerBytes))\r\n",
                body: Array("{}".utf8)
            ),
            HostileAnswer(
                name: "a body without end",
                head: "HTTP/1.1 200 OK\r\n",
                body: Array(repeating: UInt8(ascii: "["), count: endlessBytes),
                isEndless: true
            ),
            HostileAnswer(
                name: "3 MiB of brackets",
                head: "HTTP/1.1 200 OK\r\n",
                body: Array(repeating: UInt8(ascii: "["), count: 3 << 20)
            ),
        ] + HostileText.all.map(hits)

    private static func refusal(_ name: String, _ text: HostileText) -> HostileAnswer {
        let text = String(decoding: text.bytes(errorBytes), as: UTF8.self)
        return HostileAnswer(
            name: "a 400 with 1.6 MB of \(name) as its error",
            head: "HTTP/1.1 400 Bad Request\r\n",
            body: Array(#"{"errorType":"\#(text)","message":"\#(text)"}"#.utf8)
        )
    }

    private static func hits(_ text: HostileText) -> HostileAnswer {
        let title = String(decoding: text.bytes(titleBytes), as: UTF8.self)
        let documents = (0..<titles).map { number in
            #"{"title":"\#(title)","contents":"\#(title)","url":"https://a.example/\#(number)","blogname":"\#(title)","#
                + #""datetime":"2024-03-09T11:51:51.000+09:00","thumbnail":""}"#
        }
        // As many as fit into the longest answer that is read.
        let kept = documents.prefix(max(1, 3_500_000 / (documents[0].utf8.count + 1)))
        let meta = #"{"total_count":1000,"pageable_count":800,"is_end":false}"#
        return HostileAnswer(
            name: "titles of 30 KiB of \(text.name)",
            head: "HTTP/1.1 200 OK\r\n",
            body: Array(#"{"meta":\#(meta),"documents":[\#(kept.joined(separator: ","))]}"#.utf8),
            isForLongRuns: text.isForLongRuns
        )
    }
}
