/// A search or another call, and what right answers to it are.
struct Exchange: Sendable {
    /// The method as JSON.
    var method = Array(#""search""#.utf8)
    /// The members of `params`, each as `"name":value`.
    var members: [[UInt8]] = []
    /// Members with their default values, which may be left out.
    var defaults: [[UInt8]] = []
    /// The whole request, when it never differs; its answer is checked without an id.
    var line: [UInt8]?
    /// Bytes that only an answer to this very request holds; empty when the server answers everything alike.
    var mark: [UInt8] = []
    /// The right length of an answer.
    var length: ClosedRange<Int>
}

/// The requests to one server and the checks of its answers; pure.
///
/// Requests that mean the same differ in bytes: they have ids of changing length and type, members in random order, random
/// spaces, and some of the defaults.
struct Traffic: Sendable {
    /// What was asked on one connection and has no answer yet.
    struct Pending {
        fileprivate(set) var exchange = 0
        /// The id as JSON; empty for a request that never differs.
        fileprivate(set) var id: [UInt8] = []
    }

    static let answerBytesMax = 256 * 1024
    private static let head = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    private static let result = Array(#","result":"#.utf8)
    private static let version = Array(#""jsonrpc":"2.0""#.utf8)
    private static let words = ["jsonrpc", "id", "method", "params"].map { Array("\"\($0)\":".utf8) }

    let exchanges: [Exchange]
    /// Adds a window to each search that no search before had.
    var hasNewWindows = false
    /// How many requests were made.
    private(set) var count = 0
    private var numbers: SeededNumbers

    /// Traps without exchanges.
    init(_ exchanges: [Exchange], seed: UInt64 = 1) {
        precondition(!exchanges.isEmpty)
        self.exchanges = exchanges
        numbers = SeededNumbers(seed: seed)
    }

    /// Appends the next request, and notes in `pending` what its answer must be.
    mutating func appendRequest(to bytes: inout [UInt8], _ pending: inout Pending) {
        pending.exchange = count % exchanges.count
        pending.id.removeAll(keepingCapacity: true)
        defer { count += 1 }
        let exchange = exchanges[pending.exchange]
        if let line = exchange.line { return bytes.append(contentsOf: line) }
        var members = exchange.members
        if hasNewWindows { members.append(Self.window(count / exchanges.count)) }
        append(exchange, members, &pending, to: &bytes)
    }

    /// Whether the bytes are a whole answer, which ends in a line feed: each connection waits for one only.
    ///
    /// Only answers of a known length may contain other line feeds.
    func isWhole(_ frame: Span<UInt8>, _ pending: Pending) -> Bool {
        guard !frame.isEmpty, frame[frame.count - 1] == UInt8(ascii: "\n") else { return false }
        let length = exchanges[pending.exchange].length
        return length.count > 1 || frame.count >= length.lowerBound
    }

    /// Whether a whole answer is a result, to this id, of the right length, and holds the mark of its request.
    func isRight(_ frame: Span<UInt8>, _ pending: Pending) -> Bool {
        let exchange = exchanges[pending.exchange]
        guard exchange.length.contains(frame.count) else { return false }
        guard !pending.id.isEmpty else { return exchange.mark.isEmpty || frame.contains(exchange.mark) }
        guard frame.starts(with: Self.head) else { return false }
        let afterHead = frame.extracting(droppingFirst: Self.head.count)
        guard afterHead.starts(with: pending.id) else { return false }
        let rest = afterHead.extracting(droppingFirst: pending.id.count)
        return rest.starts(with: Self.result) && rest.contains(exchange.mark)
    }

    /// A window that differs for each number below 1,100.
    private static func window(_ number: Int) -> [UInt8] {
        Array(#""offset":\#(number % 100),"limit":\#(5 + number / 100 % 11)"#.utf8)
    }

    private mutating func append(
        _ exchange: Exchange,
        _ members: [[UInt8]],
        _ pending: inout Pending,
        to bytes: inout [UInt8]
    ) {
        var dice = numbers.next()
        let isText = dice & 1 == 1
        if isText { pending.id.append(UInt8(ascii: "\"")) }
        // Between 1 and 15 digits.
        Self.appendDecimal(numbers.next() >> (14 + 3 * (dice >> 1 & 15)) % 1_000_000_000_000_000, to: &pending.id)
        if isText { pending.id.append(UInt8(ascii: "\"")) }
        dice >>= 5
        bytes.append(UInt8(ascii: "{"))
        for (index, part) in shuffled(4).enumerated() {
            if index > 0 { appendSeparator(UInt8(ascii: ","), &dice, to: &bytes) }
            if part == 0 {
                bytes += Self.version
                continue
            }
            bytes += Self.words[part]
            if dice & 1 == 1 { bytes.append(UInt8(ascii: " ")) }
            switch part {
            case 1: bytes += pending.id
            case 2: bytes += exchange.method
            default: appendParams(members, exchange.defaults, &dice, to: &bytes)
            }
        }
        bytes += Array("}\n".utf8)
    }

    private mutating func appendParams(
        _ members: [[UInt8]],
        _ defaults: [[UInt8]],
        _ dice: inout UInt64,
        to bytes: inout [UInt8]
    ) {
        let given = defaults.isEmpty ? 0 : Int(dice >> 8) % (defaults.count + 1)
        bytes.append(UInt8(ascii: "{"))
        for (index, part) in shuffled(members.count + given).enumerated() {
            if index > 0 { appendSeparator(UInt8(ascii: ","), &dice, to: &bytes) }
            bytes += part < members.count ? members[part] : defaults[part - members.count]
        }
        appendSeparator(UInt8(ascii: "}"), &dice, to: &bytes)
    }

    /// A separator with up to one space on either side.
    private func appendSeparator(_ separator: UInt8, _ dice: inout UInt64, to bytes: inout [UInt8]) {
        if dice & 1 == 1 { bytes.append(UInt8(ascii: " ")) }
        bytes.append(separator)
        if dice & 2 == 2 { bytes.append(UInt8(ascii: " ")) }
        dice = dice >> 2 | dice << 62
    }

    private mutating func shuffled(_ count: Int) -> [Int] {
        var order = Array(0..<count)
        var dice = numbers.next()
        for index in stride(from: count - 1, to: 0, by: -1) {
            order.swapAt(index, Int(dice & 0xFF) % (index + 1))
            dice >>= 8
        }
        return order
    }

    private static func appendDecimal(_ value: UInt64, to bytes: inout [UInt8]) {
        let start = bytes.count
        var rest = value
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
