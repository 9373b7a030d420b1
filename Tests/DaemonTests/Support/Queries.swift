/// Queries with more results than fit on one page.
enum Queries {
    static let rich = [
        "고양이", "강아지", "여행", "커피", "영화", "음악", "요리", "자전거", "등산", "사진", "독서", "게임", "운동", "바다", "정원", "시장", "도서관",
        "카페", "기차", "공원",
    ]
}
