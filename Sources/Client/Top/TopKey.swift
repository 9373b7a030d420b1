/// What a key of `top` asks for.
enum TopKey: Equatable {
    case lines(Int)
    case pages(Int)
    case start
    case end
    case quit
    case interrupt

    private static let sequences: [(text: String, key: TopKey)] = [
        ("\u{1B}[A", .lines(-1)), ("\u{1B}OA", .lines(-1)), ("k", .lines(-1)),
        ("\u{1B}[B", .lines(1)), ("\u{1B}OB", .lines(1)), ("j", .lines(1)),
        ("\u{1B}[5~", .pages(-1)), ("b", .pages(-1)),
        ("\u{1B}[6~", .pages(1)), (" ", .pages(1)),
        ("\u{1B}[H", .start), ("\u{1B}[1~", .start), ("g", .start),
        ("\u{1B}[F", .end), ("\u{1B}[4~", .end), ("G", .end),
        ("q", .quit), ("Q", .quit), ("\u{3}", .interrupt),
    ]

    /// The keys in what a terminal sent; those that mean nothing here are left out.
    static func all(in bytes: [UInt8]) -> [TopKey] {
        var rest = bytes[...]
        var keys: [TopKey] = []
        while !rest.isEmpty {
            let known = sequences.first { rest.starts(with: $0.text.utf8) }
            if let known { keys.append(known.key) }
            rest = rest.dropFirst(known?.text.utf8.count ?? 1)
        }
        return keys
    }
}
