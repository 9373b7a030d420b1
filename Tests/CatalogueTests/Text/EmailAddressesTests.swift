import Testing

@testable import Catalogue

struct EmailAddressesTests {
    private func masked(_ text: String) -> String {
        String(decoding: EmailAddresses.masked(Array(text.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        ("a@b.org", "‹e-mail›"), ("Ann <ann.lee+x@mail.example.com>.", "Ann <‹e-mail›>."),
        (#"{"a":"\nann@example.org,b@c.de"}"#, #"{"a":"\n‹e-mail›,‹e-mail›"}"#),
        (#""\u00e9ann@example.org""#, #""\u00e9‹e-mail›""#), ("mailto:a_b@c.io?x", "mailto:‹e-mail›?x"),
        ("고양이ann@example.org입니다", "고양이‹e-mail›입니다"), ("(x@y.example).", "(‹e-mail›)."),
    ])
    func `addresses are masked`(text: String, expected: String) {
        #expect(masked(text) == expected)
    }

    @Test(arguments: [
        "@user", "https://social.example/@user", "a@b", "pkg@1.2.3", "git@github.com:cat/litter.git", "a @ b.org", "@",
        "", "x@.org", "f(a@b, c)",
    ])
    func `texts that are not e-mail addresses are not changed`(text: String) {
        #expect(masked(text) == text)
    }
}
