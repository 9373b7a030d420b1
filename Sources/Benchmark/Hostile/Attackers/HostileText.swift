/// Text that takes a careless program long, as bytes of UTF-8 that JSON needs not escape.
struct HostileText {
    let name: String
    private let unit: [UInt8]

    init(_ name: String, _ unit: String) {
        self.name = name
        self.unit = Array(unit.utf8)
    }

    static let all = [
        // Each pair stands in the wrong order, so that comparing has to sort all of them.
        HostileText("combining marks", "\u{301}\u{316}"),
        HostileText("escaped marks", #"\u0301\u0316"#),
        HostileText("jamo", "\u{1112}\u{1161}\u{11AB}"),
        HostileText("leading jamo", "\u{1112}"),
        HostileText("emoji with joiners", "\u{1F469}\u{200D}"),
        HostileText("flags", "\u{1F1F0}"),
        HostileText("entities", "&amp;"),
        HostileText("brackets", "[{<("),
        HostileText("plain letters", "a"),
    ]

    static let marks = all[0]

    /// As many whole units as fit into so many bytes, one at least.
    func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        repeat { bytes += unit } while bytes.count + unit.count <= count
        return bytes
    }
}
