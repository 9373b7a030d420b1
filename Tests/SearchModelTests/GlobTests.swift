import TestSupport
import Testing

@testable import SearchModel

struct GlobTests {
    @Test(arguments: [
        ("kakao.blog", "kakao.blog"), ("kakao.blog", "*"), ("", "*"), ("", ""), ("", "**"), ("kakao.blog", "kakao.*"),
        ("kakao.blog", "*.blog"), ("kakao.blog", "k*o.b*g"), ("kakao.blog", "kakao.blog*"),
        ("kakao.blog", "*kakao.blog"),
        ("aaab", "*ab"), ("abcabc", "*abc"), ("abab", "*a*b"), ("고양이.블로그", "고*블*그"),
    ])
    func `matches`(text: String, pattern: String) {
        #expect(Glob.matches(text, pattern))
    }

    @Test(arguments: [
        ("kakao.blog", "kakao"), ("kakao.blog", "blog"), ("kakao.blog", ""), ("", "a"), ("", "a*"),
        ("kakao.blog", "naver.*"),
        ("kakao.blog", "*.web"), ("kakao.blog", "kakao.blog.*"), ("ab", "*b*a*"), ("kakao.blog", "KAKAO.*"),
        ("ab", "a?"),
    ])
    func `does not match`(text: String, pattern: String) {
        #expect(!Glob.matches(text, pattern))
    }

    @Test func `a pattern may have so many bytes and not one more`() {
        let longest = String(repeating: "*", count: Glob.patternBytesMax)
        #expect(Glob.matches("kakao.blog", longest))
        #expect(!Glob.matches("kakao.blog", longest + "*"))
    }

    @Test func `random texts and patterns agree with the definition`() {
        func isMatch(_ text: Substring.UTF8View, _ pattern: Substring.UTF8View) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            if first == UInt8(ascii: "*") {
                return isMatch(text, pattern.dropFirst()) || (!text.isEmpty && isMatch(text.dropFirst(), pattern))
            }
            return text.first == first && isMatch(text.dropFirst(), pattern.dropFirst())
        }
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 0...8, using: &random)).map { _ in "ab".randomElement(using: &random) ?? "a" }
            )
            let pattern = String(
                (0..<Int.random(in: 0...8, using: &random)).map { _ in "ab*".randomElement(using: &random) ?? "*" }
            )
            #expect(Glob.matches(text, pattern) == isMatch(text[...].utf8, pattern[...].utf8))
        }
    }

    @Test func `many stars over a long text end soon`() {
        let text = String(repeating: "a", count: 2000)
        #expect(!Glob.matches(text, String(repeating: "*a", count: 30) + "b"))
    }
}
