/// Text that is slow to process in a careless program, as UTF-8 that needs no escapes in JSON.
struct HostileText {
    let name: String
    /// Left out of short runs.
    let isForLongRuns: Bool
    private let unit: [UInt8]

    init(_ name: String, _ unit: String, isForLongRuns: Bool = false) {
        self.name = name
        self.isForLongRuns = isForLongRuns
        self.unit = Array(unit.utf8)
    }

    static let all = [
        // Each pair stands in the wrong order, so that comparing has to sort all of them.
        HostileText("combining marks", "\u{301}\u{316}"),
        HostileText("escaped marks", #"\u0301\u0316"#),
        HostileText("jamo", "\u{1112}\u{1161}\u{11AB}"),
        HostileText("leading jamo", "\u{1112}", isForLongRuns: true),
        HostileText("emoji with joiners", "\u{1F469}\u{200D}", isForLongRuns: true),
        HostileText("flags", "\u{1F1F0}", isForLongRuns: true),
        HostileText("entities", "&amp;", isForLongRuns: true),
        HostileText("brackets", "[{<(", isForLongRuns: true),
        HostileText("plain letters", "a"),
    ]

    static let marks = all[0]

    static func chosen(_ options: HostileOptions) -> [HostileText] {
        all.filter { options.isLong || !$0.isForLongRuns }
    }

    /// As many whole units as fit into so many bytes, one at least.
    func bytes(_ count: Int) -> [UInt8] {
        var bytes = unit
        while 2 * bytes.count <= count { bytes += bytes }
        let rest = max(0, count - bytes.count)
        bytes += bytes.prefix(rest - rest % unit.count)
        return bytes
    }
}
