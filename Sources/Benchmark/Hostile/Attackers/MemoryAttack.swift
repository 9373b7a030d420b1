/// One way to make the daemon use much memory.
struct MemoryAttack {
    let name: String
    let join: (Crowd) -> Void

    private static let batchItems = 1_000
    private static let streamsEach = 20
    private static let requestsInFlightMax = 4_096
    private static let slowPause: Int64 = 100_000_000

    static func all(_ options: HostileOptions) -> [MemoryAttack] {
        let long = Wire.search(Warming.longQuery, Warming.source, Warming.longMore)
        return [
            MemoryAttack(name: "60 unread batches of \(batchItems) server/metrics") { crowd in
                let line = Wire.batch(batchItems) { Wire.object($0, "server/metrics") }
                for _ in 0..<60 { crowd.join(line, writing: .atOnce, reading: .never) }
            },
            MemoryAttack(name: "an unread batch of \(batchItems) explained searches") { crowd in
                let search = Wire.search(Warming.longQuery, Warming.source, Warming.longMore + #","explain":true"#)
                let line = Wire.batch(batchItems) { Wire.object($0, "search", search) }
                crowd.join(line, writing: .atOnce, reading: .never)
            },
            MemoryAttack(name: "200 connections with \(streamsEach) unread streams") { crowd in
                let stream = Wire.search(Warming.longQuery, Warming.source, Warming.longMore + #","stream":true"#)
                let lines = (1...streamsEach).flatMap { Wire.request($0, "search", stream) }
                for _ in 0..<200 { crowd.join(lines, writing: .atOnce, reading: .never) }
            },
            MemoryAttack(name: "\(options.connections) slow and as many never-reading connections") { crowd in
                let lines = (1...2).flatMap { Wire.request($0, "search", long) }
                for _ in 0..<options.connections {
                    crowd.join(lines, writing: .atOnce, reading: .byte(every: slowPause))
                    crowd.join(lines, writing: .atOnce, reading: .never)
                }
            },
            MemoryAttack(name: "\(inFlight(options)) connections with \(requestsInFlightMax) requests in flight") {
                crowd in
                for number in 0..<inFlight(options) {
                    let lines = (1...requestsInFlightMax).flatMap { request in
                        let query = "기다림 \(number) \(request)"
                        return Wire.request(request, "search", Wire.search(query, "kakao.web", #","timeout":60000"#))
                    }
                    crowd.join(lines, writing: .atOnce, reading: .atOnce)
                }
            },
            MemoryAttack(name: "\(unfinished(options)) unfinished lines of 1 MiB") { crowd in
                let line = [UInt8](repeating: UInt8(ascii: " "), count: HostilePosition.lineBytesMax)
                for _ in 0..<unfinished(options) { crowd.join(line, writing: .atOnce, reading: .atOnce) }
            },
        ]
    }

    private static func inFlight(_ options: HostileOptions) -> Int { max(2, options.connections / 64) }

    /// Together more than may be resident.
    private static func unfinished(_ options: HostileOptions) -> Int { max(128, options.connections / 2) }
}
