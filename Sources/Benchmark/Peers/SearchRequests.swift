/// The searches that are made of all peers, in rotation.
enum SearchRequests {
    /// So many different queries, and as many different keys.
    static let count = 256

    /// The text of one of them: two words, of all of which the sandbox knows much about.
    static func query(_ index: Int) -> String {
        "\(towns[index / things.count % towns.count]) \(thing(index))"
    }

    /// One word, of which the sandbox knows more still.
    static func thing(_ index: Int) -> String {
        things[index % things.count]
    }

    /// The same of three syllables, which every source takes; some refuse shorter words.
    static func longThing(_ index: Int) -> String {
        let long = things.filter { $0.count >= 3 }
        return long[index % long.count]
    }

    private static let towns = [
        "서울", "부산", "제주", "강릉", "전주", "경주", "춘천", "대구", "광주", "인천", "수원", "통영", "여수", "속초", "안동", "포항",
    ]
    private static let things = [
        "고양이", "강아지", "여행", "커피", "영화", "음악", "요리", "자전거", "등산", "사진", "독서", "게임", "운동", "바다", "정원", "시장",
    ]

    /// What stands before the id.
    static let head = Array(#"{"jsonrpc":"2.0","id":"#.utf8)

    /// What follows the id in a search for `query`, of a source whose ten hits make about 4 KB.
    static func tail(query: String) -> [UInt8] {
        let parameters = #""query":"\#(query)","sources":["kakao.video"],"limit":10,"maxAge":86400"#
        return Array(#","method":"search","params":{\#(parameters)}}"#.utf8) + [UInt8(ascii: "\n")]
    }
}
