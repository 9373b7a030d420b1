/// Words of which the sandbox knows much.
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

    /// How many pages every query has at least.
    private static let pages = 8
    private static let pairs = all.count * (all.count - 1)
    static let newSearches = pairs * pages

    /// A search that differs from those of all other numbers: two different words, and a page from 0.
    static func newSearch(_ number: Int) -> (query: String, page: Int) {
        let pair = number % pairs
        let first = pair / (all.count - 1)
        // Neighbours in number have no word in common.
        let second = (first + 1 + pair % (all.count - 1)) % all.count
        return ("\(all[first]) \(all[second])", number / pairs)
    }
}
