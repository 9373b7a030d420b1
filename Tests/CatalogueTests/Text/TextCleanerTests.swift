import Testing

@testable import Catalogue

private func clean(_ text: String, _ markup: TextCleaner.Markup = .html, bytesMax: Int = 4096) -> PlainText {
    TextCleaner.clean(text.utf8.span, markup: markup, bytesMax: bytesMax)
}

struct TextCleanerTests {
    @Test(arguments: [
        ("<b>고양이</b> 산책", "고양이 산책", [0..<3]),
        ("한 <b>고양이</b>와 <b>개</b>", "한 고양이와 개", [2..<5, 7..<8]),
        ("<em>cat</em>s", "cats", [0..<3]),
        ("a <span class=\"searchmatch\">cat</span> b", "a cat b", [2..<5]),
        ("a <span>cat</span> b", "a cat b", []),
        ("<b> 고양이 </b>", "고양이", [0..<3]),
        ("<b></b>x<b> </b>", "x", []),
        ("<b>고</b><b>양이</b>", "고양이", [0..<3]),
        ("<b>한 <b>고양이</b> 둘</b> 셋", "한 고양이 둘 셋", [0..<7]),
        ("끝이 <b>잘린", "끝이 잘린", [3..<5]),
        ("</b>x", "x", []),
        ("<B>X</B>", "X", [0..<1]),
        ("a<br>b<p>c</p><li>d", "a b c d", []),
        ("<i>x</i><a href=\"http://e.org/?a>b\">y</a>", "xy", []),
        ("1<script>alert('<b>')</script>2<style>p{}</style>3", "123", []),
        ("1<script>never closed", "1", []),
        ("<!-- note -->x<?php ?>y<!doctype html>", "xy", []),
    ])
    func `tags are removed, and highlighted text is marked`(_ html: String, _ text: String, _ marks: [Range<Int>]) {
        #expect(clean(html) == PlainText(text: text, marks: marks))
    }

    @Test(arguments: [
        ("a < b", "a < b"), ("3<5", "3<5"), ("<책> 읽기", "<책> 읽기"), ("<", "<"), ("</", "</"), ("a<b", "a<b"),
        ("<a <b>x</b>", "<a x"), ("I <3 you>", "I <3 you>"),
    ])
    func `a less-than sign that does not open a tag is kept`(_ html: String, _ text: String) {
        #expect(clean(html).text == text)
    }

    @Test(arguments: [
        ("&lt;b&gt;", "<b>"), ("&amp;lt;", "&lt;"), ("&#39;&#x27;&#X27;", "'''"), ("&quot;&apos;", "\"'"),
        ("a&nbsp;&nbsp;b", "a b"), ("&hellip;&middot;", "…·"), ("&#128512;&#x1F600;", "😀😀"), ("&#150;", "–"),
        ("&;&#;&#x;&nope;&amp", "&;&#;&#x;&nope;&amp"), ("&#0;a&#xD800;b&#99999999;c", "abc"),
        ("AT&T & co", "AT&T & co"),
        ("&#x202E;x&#8203;y", "xy"), ("&#10;x&#10;y", "x y"), ("&eacute;", "é"), ("&Prime;&prime;", "″′"),
    ])
    func `entities are decoded once`(_ html: String, _ text: String) {
        #expect(clean(html).text == text)
        #expect(clean(html, .entities).text == text)
    }

    @Test func `tags are kept in plain text and in text with entities`() {
        #expect(clean("<b>&amp;</b>", .none) == PlainText(text: "<b>&amp;</b>"))
        #expect(clean("<b>&amp;</b>", .entities).text == "<b>&</b>")
    }

    @Test(arguments: [
        ("  a \t\r\n b  ", "a b"), ("a\u{0}\u{1}\u{7F}\u{9B}b", "ab"), ("a\u{85}b\u{2028}c\u{2029}d", "a b c d"),
        ("a\u{200B}b\u{FEFF}c\u{2060}d\u{AD}e", "abcde"), ("\u{202E}abc\u{202C}\u{2066}d\u{2069}\u{200F}", "abcd"),
        ("전각\u{3000}공백\u{A0}하나", "전각 공백 하나"), ("\u{E0041}\u{E0042}x", "x"), ("👩‍👩‍👧 가족", "👩‍👩‍👧 가족"), (" ", ""), ("", ""),
        ("a \u{200B} b", "a b"),
    ])
    func `control and hidden characters are removed, and spaces are collapsed`(_ dirty: String, _ text: String) {
        #expect(clean(dirty).text == text)
        #expect(clean(dirty, .none).text == text)
    }

    @Test func `text is normalised to NFC, and marks are ranges of scalars`() {
        // The word 고양이 in conjoining jamo. Its seven scalars become three.
        let jamo = "\u{1100}\u{1169}\u{110B}\u{1163}\u{11BC}\u{110B}\u{1175}"
        #expect(clean("<b>\(jamo)</b> e\u{301}<b>te\u{301}</b>") == PlainText(text: "고양이 été", marks: [0..<3, 5..<7]))
        #expect(Array(clean(jamo).text.unicodeScalars).count == 3)
    }

    @Test func `a mark never splits a composed character`() {
        let plain = clean("e<b>\u{301}x</b>")
        #expect(plain.text == "éx")
        #expect(plain.marks == [1..<2])
    }

    @Test func `text is cut at the limit, before the character that does not fit`() {
        #expect(clean("가나다", bytesMax: 9).text == "가나다")
        #expect(clean("가나다라", bytesMax: 9).text == "가나다")
        #expect(clean("가나다라", bytesMax: 11).text == "가나다")
        #expect(clean("ab 👩‍👩‍👧", bytesMax: 10) == PlainText(text: "ab"))
        #expect(clean("ab<b>가나</b>", bytesMax: 5) == PlainText(text: "ab가", marks: [2..<3]))
        #expect(clean("e" + String(repeating: "\u{301}", count: 1000), bytesMax: 10).text.utf8.count <= 10)
    }
}
