import Hangul
import SearchModel
import SearchTestSupport
import Testing

@testable import Engine

struct TermTests {
    private func level(_ words: String, in text: String) -> Term.Level {
        QueryTerms(query(words)).phrase.best(in: FoldedBytes(text)).level
    }

    @Test(arguments: [
        ("고양이", "고양이", Term.Level.full), ("고양이", "고양이를 부탁해", .full), ("고양이", "길고양이 급식소", .fair), ("고양이", "강아지", .none),
        ("고양이", "\u{1100}\u{1169}\u{110B}\u{1163}\u{11BC}\u{110B}\u{1175}가", .full),
    ])
    func `a Korean word matches at the beginning of a word and inside a word`(
        word: String,
        text: String,
        expected: Term.Level
    ) {
        #expect(level(word, in: text) == expected)
    }

    @Test(arguments: [
        ("전세보증금", "전세 보증금 돌려받기", Term.Level.full), ("전세 보증금", "전세보증금 반환", .full), ("전세 보증금", "내 전세보증금은", .full),
        ("가방", "휴가 방법", .none), ("이사", "이 사회의 문제", .none), ("한강", "한 강", .full),
    ])
    func `in Korean, spaces are ignored, but parts of two words do not form a match`(
        words: String,
        text: String,
        expected: Term.Level
    ) {
        #expect(level(words, in: text) == expected)
    }

    @Test(arguments: [
        ("책", "책을 읽다", Term.Level.full), ("책", "좋은 책", .full), ("책", "그림책", .weak), ("책", "책상 정리", .weak),
        ("책", "정책 발표", .weak),
        ("책", "산책길", .none), ("앱", "앱스토어", .weak),
    ])
    func `a Korean word of one syllable matches fully only as a separate word`(
        word: String,
        text: String,
        expected: Term.Level
    ) {
        #expect(level(word, in: text) == expected)
    }

    @Test(arguments: [
        ("cat", "The Cat!", Term.Level.full), ("cat", "cats", .fair), ("cats", "a cat", .fair),
        ("cat", "category", .weak),
        ("cat", "concat", .none), ("java", "JavaScript", .weak), ("swift", "스위프트Swift입문", .full),
        ("is", "island", .none),
        ("bake", "baked", .weak), ("work", "working", .fair), ("together", "to get her", .none), ("ﾊﾛｰ", "ハロー", .full),
        ("class", "clas", .none),
    ])
    func `a Latin word matches the beginning of a word, but a whole word matches better`(
        word: String,
        text: String,
        expected: Term.Level
    ) {
        #expect(level(word, in: text) == expected)
    }

    @Test(arguments: [
        ("harry potter", "Harry Potter and the Goblet", Term.Level.full), ("harry potter", "Potter, Harry", .none),
        ("고양이 사료", "우리 고양이 사료는", .full), ("책 추천", "책 추천해요", .full), ("iphone15", "iPhone 15 Pro", .full),
    ])
    func `a phrase matches only consecutive words`(words: String, text: String, expected: Term.Level) {
        #expect(level(words, in: text) == expected)
    }

    @Test func `a term that is too long matches nothing`() {
        for (count, expected) in [(Term.bytesMax, Term.Level.full), (Term.bytesMax + 1, .none)] {
            let text = String(repeating: "a", count: count)
            #expect(level(text, in: text) == expected)
        }
    }

    @Test func `the words of a query are unique and limited in number`() {
        #expect(QueryTerms(query("the cat, the Cat!")).words.count == 2)
        let many = (0..<40).map { "w\(String(UnicodeScalar(97 + UInt8($0 % 26))))\($0)" }.joined(separator: " ")
        #expect(QueryTerms(query(many)).words.count == QueryTerms.wordsMax)
        #expect(QueryTerms(query("?!")).words.isEmpty)
    }
}
