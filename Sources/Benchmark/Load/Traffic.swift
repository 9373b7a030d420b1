/// A request, and the criteria for a correct answer.
struct Exchange: Sendable {
    var method = "search"
    /// The members of `params`, each as `"name":value`.
    var members: [String] = []
    /// Optional members with their default values.
    var defaults: [String] = []
    /// The complete request, if it never varies; its answers are checked without an id.
    var line: [UInt8]?
    /// Bytes that only answers to this request contain, or no bytes if all answers are the same.
    var mark: [UInt8] = []
    /// The valid lengths of an answer.
    var length = 1...Traffic.answerBytesMax
}

/// Generates requests to one server and checks the answers.
///
/// Requests with the same meaning differ in bytes: they have ids of different lengths and types, members in random
/// order, random spaces, and random defaults.
struct Traffic: Sendable {
    /// The unanswered request of one connection.
    struct Pending {
        fileprivate(set) var exchange = 0
        /// The id as JSON, or no bytes for a request that never varies.
        fileprivate(set) var id: [UInt8] = []
    }

    /// A written request, before and after its id.
    private typealias Line = (head: [UInt8], tail: [UInt8])

    static let answerBytesMax = 256 * 1024
    /// How many lines each exchange has, which differ in more than the id.
    private static let linesPerExchange = 8
    private static let head = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    private static let result = Array(#","result":"#.utf8)

    let exchanges: [Exchange]
    /// Whether each search requests another window, which is an offset and a limit.
    var hasNewWindows = false
    /// The number of generated requests.
    private(set) var count = 0
    private var numbers: SeededNumbers
    /// The lines that were written first; later requests repeat them with new ids.
    private var lines: [Line] = []

    /// Generates the exchanges, of which there must be at least one, in rotation.
    init(_ exchanges: [Exchange], seed: UInt64 = 1) {
        precondition(!exchanges.isEmpty)
        self.exchanges = exchanges
        numbers = SeededNumbers(seed: seed)
    }

    /// Appends the next request and records it in `pending`.
    mutating func appendRequest(to bytes: inout [UInt8], _ pending: inout Pending) {
        pending.exchange = count % exchanges.count
        pending.id.removeAll(keepingCapacity: true)
        defer { count += 1 }
        let exchange = exchanges[pending.exchange]
        if let line = exchange.line { return bytes.append(contentsOf: line) }
        let line: Line
        if hasNewWindows {
            line = written(exchange, exchange.members + [Self.window(count / exchanges.count)])
        } else {
            let slot = count % (exchanges.count * Self.linesPerExchange)
            if slot == lines.count { lines.append(written(exchange, exchange.members)) }
            line = lines[slot]
        }
        // 1 to 15 digits, as a number or a text.
        let dice = numbers.next()
        let number = String((dice >> 5) % 1_000_000_000_000_000 >> (3 * (dice >> 1 & 15)))
        pending.id.append(contentsOf: (dice & 1 == 1 ? "\"\(number)\"" : number).utf8)
        bytes += line.head
        bytes += pending.id
        bytes += line.tail
    }

    /// Returns whether an answer ends with a line feed and has the expected length if that is exact.
    func isComplete(_ frame: Span<UInt8>, _ pending: Pending) -> Bool {
        guard !frame.isEmpty, frame[frame.count - 1] == UInt8(ascii: "\n") else { return false }
        let length = exchanges[pending.exchange].length
        return length.count > 1 || frame.count >= length.lowerBound
    }

    /// Returns whether a complete answer is a result with the correct id, length and mark.
    func isCorrect(_ frame: Span<UInt8>, _ pending: Pending) -> Bool {
        let exchange = exchanges[pending.exchange]
        guard exchange.length.contains(frame.count) else { return false }
        guard !pending.id.isEmpty else { return frame.contains(exchange.mark) }
        guard frame.starts(with: Self.head) else { return false }
        let afterHead = frame.extracting(droppingFirst: Self.head.count)
        guard afterHead.starts(with: pending.id) else { return false }
        let rest = afterHead.extracting(droppingFirst: pending.id.count)
        return rest.starts(with: Self.result) && rest.contains(exchange.mark)
    }

    /// A window that is unique for each number below 1,100.
    private static func window(_ number: Int) -> String {
        #""offset":\#(number % 100),"limit":\#(5 + number / 100 % 11)"#
    }

    /// Writes a request with members in random order, random spaces and some of the defaults.
    private mutating func written(_ exchange: Exchange, _ members: [String]) -> Line {
        let given = exchange.defaults.prefix(Int.random(in: 0...exchange.defaults.count, using: &numbers))
        let params = object(members + given)
        let id = "\"id\":\0"
        let request = object([#""jsonrpc":"2.0""#, #""method":"\#(exchange.method)""#, #""params":\#(params)"#, id])
        let parts = Array((request + "\n").utf8).split(separator: 0)
        return (Array(parts[0]), Array(parts[1]))
    }

    private mutating func object(_ members: [String]) -> String {
        let spaced = members.shuffled(using: &numbers).map { member in
            (Bool.random(using: &numbers) ? " " : "") + member + (Bool.random(using: &numbers) ? " " : "")
        }
        return "{\(spaced.joined(separator: ","))}"
    }
}

/// Search words for which the mock server has many results.
enum Words {
    static let towns = [
        "서울", "부산", "제주", "강릉", "전주", "경주", "춘천", "대구", "광주", "인천", "수원", "통영", "여수", "속초", "안동", "포항",
    ]
    static let things = [
        "고양이", "강아지", "여행", "커피", "영화", "음악", "요리", "자전거", "등산", "사진", "독서", "게임", "운동", "바다", "정원", "시장",
    ]
    /// The number of pages that every query has.
    private static let pages = 8
    static let newSearches = 32 * 31 * 30 * pages

    /// Returns a unique search for each number: three different words and a page, counted from 0.
    static func newSearch(_ number: Int) -> (query: String, page: Int) {
        var (words, rest) = (things + towns, number)
        let chosen = (0..<3).map { _ in
            let (next, index) = rest.quotientAndRemainder(dividingBy: words.count)
            rest = next
            return words.remove(at: index)
        }
        return (chosen.joined(separator: " "), rest)
    }
}
