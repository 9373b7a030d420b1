import Terminal

/// What a key of `top` asks for.
enum TopKey: Equatable {
    case lines(Int)
    case pages(Int)
    case start
    case end
    case suspend
    case quit
    case interrupt

    private static let table: [(input: InputEvent, key: TopKey)] = [
        (.key(Key(.up)), .lines(-1)), (.text("k"), .lines(-1)), (.key(Key(.down)), .lines(1)), (.text("j"), .lines(1)),
        (.key(Key(.pageUp)), .pages(-1)), (.text("b"), .pages(-1)),
        (.key(Key(.pageDown)), .pages(1)), (.text(" "), .pages(1)),
        (.key(Key(.home)), .start), (.text("g"), .start), (.key(Key(.end)), .end), (.text("G"), .end),
        (.text("q"), .quit), (.text("Q"), .quit), (.key(.control("z")), .suspend), (.key(.control("c")), .interrupt),
    ]

    /// Nil for what means nothing here.
    init?(_ input: InputEvent) {
        if case .mouse(let mouse) = input {
            switch mouse.action {
            case .wheelUp: self = .lines(-1)
            case .wheelDown: self = .lines(1)
            case .click: return nil
            }
            return
        }
        guard let found = Self.table.first(where: { $0.input == input }) else { return nil }
        self = found.key
    }
}
