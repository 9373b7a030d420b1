import Client
import JSON

enum Language: String, Sendable {
    case english = "en"
    case korean = "ko"

    init(accepting header: String?) {
        var best = (language: Language.english, weight: 0.0)
        for part in (header ?? "").split(separator: ",") {
            let words = part.split(separator: ";").map(\.trimmed)
            let tag = words.first?.lowercased().split(separator: "-").first.map(String.init) ?? ""
            let weight = words.dropFirst().first.flatMap { $0.hasPrefix("q=") ? Double($0.dropFirst(2)) : nil } ?? 1
            if let language = Language(rawValue: tag), weight > best.weight { best = (language, weight) }
        }
        self = best.language
    }

    subscript(word: Word) -> String { self == .korean ? word.texts.korean : word.texts.english }

    /// Returns the name of a kind, or of a profile without the @.
    func name(of group: String) -> String { (self == .korean ? Self.koreanNames[group] : nil) ?? group }

    private static let koreanNames = [
        "album": "음반", "answer": "답변", "app": "앱", "apps": "앱", "blog": "블로그", "blogs": "블로그", "book": "책",
        "books": "책", "cafe": "카페", "code": "프로그래밍", "community": "커뮤니티", "document": "전문 자료",
        "encyclopedia": "백과사전", "entity": "개체", "image": "이미지", "images": "이미지", "issue": "이슈", "media": "미디어",
        "movie": "영화", "music": "음악", "news": "뉴스", "page": "페이지", "paper": "논문", "papers": "논문", "place": "장소",
        "places": "장소", "podcast": "팟캐스트", "question": "질문", "reference": "백과사전", "repository": "저장소",
        "shopping": "쇼핑", "story": "글", "video": "동영상", "web": "웹",
    ]

    /// Describes an error without the names of parameters.
    ///
    /// In Korean, the daemon's English message follows in parentheses.
    func text(of error: ClientError) -> String {
        if error.code == .noDaemon || error.code == .connectionLost { return self[.stopped] }
        let path = error.path ?? ""
        let namesPath = !path.isEmpty && error.message.hasPrefix(path)
        let hint = path.isEmpty ? error.hint : nil
        if self == .english, !namesPath { return FailureText.joined([error.message, hint]) }
        let name = String(path.dropFirst("params.".count).prefix { $0.isLetter || "._".contains($0) })
        if error.source == nil, let mistake = Word.mistakes[name] { return self[mistake] }
        let message = error.message.dropFirst(namesPath ? path.count : 0).drop { ": ".contains($0) }
        let details = FailureText.joined([String(message), hint])
        if self == .english { return details }
        let word = Word(rawValue: error.code.rawValue) ?? .failed
        if let source = error.source { return "\(source): \(self[word])" }
        return "\(self[Word.troubles[error.code.rawValue] ?? word]) (\(details))"
    }
}

/// The words of the pages in both languages.
enum Word: String, CaseIterable, Sendable {
    case search, everything, kinds, profiles, order, relevance, recency, title, since, until, site, more, nothing
    case library, libraryEmpty, save, saved, savedAt, tags, note, rating, noRating, write, typing, didYouMean, help
    case keys, close, lost, incomplete, late, failed, skipped, waiting, partial, notConfigured, unauthorized
    case rateLimit, rateLimited, quotaExhausted, unavailable, badResponse, timeout, unfinished, tooShort, suspended,
        wait, wrongToken
    case sources, noToken, free, insteadOf, options, undone, noPage, rated, undo, skipToHits, read, noText, cut
    case notFound, forbidden, limitReached, invalidParams, overloaded, shuttingDown, expired, tooFar, wrongDate
    case wrongSite, wrongText, onlyFilters, wrongNumber, wrongRange, wrongTime, wrongFormat, noQuery, noAddress
    case stopped, unknownSource, notFetched, notUsable, tooLate

    /// For each parameter that a person types, the sentence about a mistake in its value.
    fileprivate static let mistakes: [String: Word] = [
        "cursor": .expired, "offset": .tooFar, "filter.since": .wrongDate, "filter.until": .wrongDate,
        "filter.site": .wrongSite, "filter": .onlyFilters, "query": .wrongText, "add": .wrongText, "tags": .wrongText,
        "note": .wrongText, "pageno": .wrongNumber, "time_range": .wrongRange, "timeout_limit": .wrongTime,
        "format": .wrongFormat, "q": .noQuery, "url": .noAddress,
    ]

    /// The sentences for errors that no source caused.
    fileprivate static let troubles: [String: Word] = [
        "unavailable": .notFetched, "badResponse": .notUsable, "timeout": .tooLate,
    ]

    var texts: (english: String, korean: String) {
        switch self {
        case .search: ("Search", "검색")
        case .everything: ("Everything", "전체")
        case .kinds: ("Kinds", "종류")
        case .profiles: ("Groups", "묶음")
        case .order: ("Order", "정렬")
        case .relevance: ("Best first", "정확도순")
        case .recency: ("Newest first", "최신순")
        case .title: ("By title", "제목순")
        case .since: ("From", "시작일")
        case .until: ("To", "종료일")
        case .site: ("Site", "사이트")
        case .more: ("More", "더 보기")
        case .nothing: ("Nothing found", "결과가 없습니다")
        case .library: ("Library", "보관함")
        case .libraryEmpty: ("Nothing saved yet", "저장한 항목이 없습니다")
        case .save: ("Save", "저장")
        case .saved: ("Saved", "저장됨")
        case .savedAt: ("Recently saved first", "최근 저장순")
        case .tags: ("Tags", "태그")
        case .note: ("Note", "메모")
        case .rating: ("Stars", "별점")
        case .noRating: ("no stars", "별점 없음")
        case .write: ("Apply", "남기기")
        case .typing: ("Search as I type", "입력하면서 검색")
        case .didYouMean: ("Did you mean", "혹시 이것을 찾으셨나요?")
        case .help: ("Help", "도움말")
        case .keys: ("Keys", "단축키")
        case .close: ("Close", "닫기")
        case .lost: ("searchd does not answer. Trying again…", "searchd가 응답하지 않습니다. 다시 시도하는 중…")
        case .stopped, .shuttingDown:
            (
                "searchd is not running. Start it with “searchctl restart”.",
                "searchd가 실행되고 있지 않습니다. “searchctl restart”로 시작하세요."
            )
        case .incomplete: ("Some sources have not answered yet.", "응답하지 않은 출처가 있습니다.")
        case .late: ("late", "늦음")
        case .failed: ("failed", "실패")
        case .skipped: ("skipped", "건너뜀")
        case .waiting: ("waiting", "대기 중")
        case .partial: ("partial", "일부")
        case .notConfigured: ("not set up", "설정 안 됨")
        case .unauthorized: ("key refused", "키 거부됨")
        case .rateLimit, .rateLimited, .overloaded: ("too many requests", "요청이 너무 많음")
        case .quotaExhausted, .limitReached: ("quota used up", "한도 소진")
        case .unavailable: ("not reachable", "연결 안 됨")
        case .badResponse: ("invalid answer", "잘못된 응답")
        case .timeout: ("too slow", "시간 초과")
        case .unfinished: ("still typing", "입력 중")
        case .tooShort: ("query too short", "검색어가 짧음")
        case .suspended: ("paused after failures", "잦은 실패로 중지됨")
        case .wait: ("Searching…", "검색 중…")
        case .sources: ("Sources", "출처")
        case .noToken: ("Open the address that “searchctl web” prints.", "“searchctl web”이 출력한 주소로 여세요.")
        case .wrongToken: ("The token in the address is wrong.", "주소의 토큰이 맞지 않습니다.")
        case .free: ("free", "무료")
        case .insteadOf: ("instead of", "정가")
        case .options: ("Options", "옵션")
        case .undone: ("Undone", "되돌렸습니다")
        case .undo: ("Undo", "되돌리기")
        case .noPage: ("Page not found", "없는 페이지입니다")
        case .notFound: ("not found", "찾을 수 없음")
        case .forbidden: ("not allowed", "허용되지 않음")
        case .invalidParams: ("not accepted", "잘못된 요청")
        case .expired: ("The list has expired. Search again.", "목록이 만료되었습니다. 다시 검색하세요.")
        case .tooFar: ("The list has no hits this far down.", "목록을 이렇게 뒤까지 볼 수는 없습니다.")
        case .wrongDate: ("A date must look like 2024-03-09, with From before To.", "날짜를 2024-03-09처럼, 시작일이 앞서게 쓰세요.")
        case .wrongSite: ("A site must look like example.org.", "사이트는 example.org처럼 쓰세요.")
        case .wrongText: ("The text is empty or too long.", "글이 비었거나 너무 깁니다.")
        case .onlyFilters: ("The query has only filters. Add words.", "필터만 있습니다. 검색어를 더 쓰세요.")
        case .wrongNumber: ("The page number must be above 0.", "페이지 번호는 1 이상의 숫자로 쓰세요.")
        case .wrongRange: ("time_range is day, week, month or year.", "time_range는 day, week, month, year 중 하나입니다.")
        case .wrongTime: ("timeout_limit must be above 0 seconds.", "timeout_limit는 0보다 큰 초로 쓰세요.")
        case .wrongFormat: ("format must be html, json, csv or rss.", "format은 html, json, csv, rss 중 하나로 쓰세요.")
        case .noQuery: ("Write a query.", "검색어를 쓰세요.")
        case .noAddress: ("The address is missing.", "주소가 없습니다.")
        case .unknownSource: ("unknown source", "없는 출처입니다.")
        case .notFetched: ("It could not be fetched.", "내용을 가져오지 못했습니다.")
        case .notUsable: ("The answer of the server cannot be used.", "서버의 응답을 쓸 수 없습니다.")
        case .tooLate: ("The answer did not arrive in time.", "제시간에 응답을 받지 못했습니다.")
        case .rated: ("Best rated first", "별점순")
        case .read: ("Read here", "여기에서 읽기")
        case .noText: ("This page has no text to read.", "읽을 글이 없는 페이지입니다.")
        case .cut: ("The page is too large. The rest is not shown.", "페이지가 너무 커서 나머지는 생략했습니다.")
        case .skipToHits: ("Skip to the hits", "결과로 건너뛰기")
        }
    }
}

enum Facts {
    static func line(of extra: JSONCursor, in language: Language) -> String {
        let duration = extra["duration"]?.double.map(time)
        let size = extra["width"]?.int.flatMap { width in extra["height"]?.int.map { "\(width) × \($0)" } }
        let rating = extra["rating"]?.double.flatMap { $0 > 0 ? "★ \(number($0))" : nil }
        return [price(extra, language), rating, duration, size, extra["publisher"]?.string].compactMap(\.self)
            .joined(separator: " · ")
    }

    static func time(_ seconds: Double) -> String {
        guard seconds >= 0, seconds < 1e7 else { return "" }
        let whole = Int(seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = "\(two(whole / 60 % 60)):\(two(whole % 60))"
        return whole < 3600 ? "\(whole / 60):\(two(whole % 60))" : "\(whole / 3600):\(rest)"
    }

    private static func price(_ extra: JSONCursor, _ language: Language) -> String? {
        if let text = extra["formattedPrice"]?.string { return text }
        let currency = extra["currency"]?.string.map { " \($0)" } ?? ""
        guard let full = extra["salePrice"]?.double ?? extra["price"]?.double else { return nil }
        let regular = extra["price"]?.double ?? full
        let text = full == 0 ? language[.free] : number(full) + currency
        return regular > full ? "\(text) (\(language[.insteadOf]) \(number(regular))\(currency))" : text
    }

    private static func number(_ value: Double) -> String {
        guard value < 1e15, value >= 0 else { return "\(value)" }
        let fraction = "\(value)".split(separator: ".").dropFirst().first { $0 != "0" }
        return NumberText.grouped(Int(value)) + (fraction.map { ".\($0)" } ?? "")
    }
}
