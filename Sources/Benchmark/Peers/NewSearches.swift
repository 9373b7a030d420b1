import SearchModel

/// Searches of which none was made before, each for a page that is full: numbered from 0.
///
/// A page that is fetched again with the same content would cost searchd less: only its times are written to the disk.
enum NewSearches {
    /// How many hits a page has.
    static let pageSize = 50
    /// Every query's hits go on for so many pages at least.
    private static let pagesDeep = 8
    private static let queryCount = words.count * (words.count - 1)

    static let count = queryCount * pagesDeep

    /// Two different words, of each of which the sandbox knows much.
    static func query(_ number: Int) -> String {
        let pair = number % queryCount
        let first = pair / (words.count - 1)
        // Neighbours in number have no word in common.
        let second = (first + 1 + pair % (words.count - 1)) % words.count
        return "\(words[first]) \(words[second])"
    }

    /// Which of the query's pages, from 0.
    static func page(_ number: Int) -> Int { number / queryCount }

    private static let words = [
        "고양이", "강아지", "여행", "커피", "영화", "음악", "요리", "자전거", "등산", "사진", "독서", "게임", "운동", "바다", "정원", "시장",
        "도서관", "카페", "기차", "공원", "박물관", "김치", "라면", "떡볶이", "빵", "우산", "겨울", "여름", "봄", "가을", "아침", "저녁", "학교",
        "회사", "친구", "가족", "아이", "엄마", "할머니", "건강", "다이어트", "수영", "캠핑", "낚시", "피아노", "기타", "그림", "전시", "연극",
        "소설", "시집", "역사", "과학", "우주", "로봇", "컴퓨터", "휴대폰", "카메라", "자동차", "지하철", "버스", "비행기", "호텔", "제주도", "한옥",
        "궁궐", "축제", "결혼", "선물", "꽃", "나무", "산책", "달리기", "요가", "명상", "일기", "편지", "언어", "영어", "한국어", "코딩",
        "인공지능", "경제", "부동산", "사료", "간식", "병원", "약국", "은행", "만화", "드라마", "배우", "가수", "노래", "춤", "축구", "야구", "농구",
        "서울", "부산", "제주", "강릉", "전주", "경주", "춘천", "대구", "광주", "인천", "수원", "통영", "여수", "속초", "안동", "포항", "청주",
        "목포", "남해", "양평",
    ]
}
