/// A request and how to recognise its correct answer.
struct Exchange: Sendable {
    var method = Array(#""search""#.utf8)
    var members: [[UInt8]] = []
    var defaults: [[UInt8]] = []
    var line: [UInt8]?
    /// Only answers to this request contain these bytes.
    var mark: [UInt8] = []
    var length: ClosedRange<Int>
}

/// Generates requests to one server and checks the answers.
///
/// Varies the ids, the order of members, the spaces, and which default values are written.
struct Traffic: Sendable {
    struct Pending {
        fileprivate(set) var exchange = 0
        fileprivate(set) var id: [UInt8] = []
    }

    static let answerBytesMax = 256 * 1024
    private static let head = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    private static let result = Array(#","result":"#.utf8)
    private static let version = Array(#""jsonrpc":"2.0""#.utf8)
    private static let words = ["jsonrpc", "id", "method", "params"].map { Array("\"\($0)\":".utf8) }

    let exchanges: [Exchange]
    /// Whether each request has a new offset and limit.
    var hasNewWindows = false
    private(set) var count = 0
    private var numbers: SeededNumbers

    init(_ exchanges: [Exchange], seed: UInt64 = 1) {
        precondition(!exchanges.isEmpty)
        self.exchanges = exchanges
        numbers = SeededNumbers(seed: seed)
    }

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

    func isComplete(_ frame: Span<UInt8>, _ pending: Pending) -> Bool {
        guard !frame.isEmpty, frame[frame.count - 1] == UInt8(ascii: "\n") else { return false }
        let length = exchanges[pending.exchange].length
        return length.count > 1 || frame.count >= length.lowerBound
    }

    func isCorrect(_ frame: Span<UInt8>, _ pending: Pending) -> Bool {
        let exchange = exchanges[pending.exchange]
        guard exchange.length.contains(frame.count) else { return false }
        guard !pending.id.isEmpty else { return exchange.mark.isEmpty || frame.contains(exchange.mark) }
        guard frame.starts(with: Self.head) else { return false }
        let afterHead = frame.extracting(droppingFirst: Self.head.count)
        guard afterHead.starts(with: pending.id) else { return false }
        let rest = afterHead.extracting(droppingFirst: pending.id.count)
        return rest.starts(with: Self.result) && rest.contains(exchange.mark)
    }

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

/// The Korean words in the queries.
enum Words {
    static let towns = [
        "서울", "부산", "제주", "강릉", "전주", "경주", "춘천", "대구", "광주", "인천", "수원", "통영", "여수", "속초", "안동", "포항",
    ]
    static let things = [
        "고양이", "강아지", "여행", "커피", "영화", "음악", "요리", "자전거", "등산", "사진", "독서", "게임", "운동", "바다", "정원", "시장",
    ]
    private static let more = [
        "도서관", "카페", "기차", "공원", "박물관", "김치", "라면", "떡볶이", "빵", "우산", "겨울", "여름", "봄", "가을", "아침", "저녁", "학교",
        "회사", "친구", "가족", "아이", "엄마", "할머니", "건강", "다이어트", "수영", "캠핑", "낚시", "피아노", "기타", "그림", "전시", "연극",
        "소설", "시집", "역사", "과학", "우주", "로봇", "컴퓨터", "휴대폰", "카메라", "자동차", "지하철", "버스", "비행기", "호텔", "제주도", "한옥",
        "궁궐", "축제", "결혼", "선물", "꽃", "나무", "산책", "달리기", "요가", "명상", "일기", "편지", "언어", "영어", "한국어", "코딩",
        "인공지능", "경제", "부동산", "사료", "간식", "병원", "약국", "은행", "만화", "드라마", "배우", "가수", "노래", "춤", "축구", "야구", "농구",
        "청주", "목포", "남해", "양평",
    ]
    private static let all = things + more + towns

    private static let pages = 8
    private static let pairs = all.count * (all.count - 1)
    static let newSearches = pairs * pages

    /// Each number gives a different combination of words and page.
    static func newSearch(_ number: Int) -> (query: String, page: Int) {
        let pair = number % pairs
        let first = pair / (all.count - 1)
        let second = (first + 1 + pair % (all.count - 1)) % all.count
        return ("\(all[first]) \(all[second])", number / pairs)
    }
}
