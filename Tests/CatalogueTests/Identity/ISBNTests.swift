import Testing

@testable import Catalogue

struct ISBNTests {
    @Test(arguments: [
        ("8937460440 9788937460449", "8937460440", "9788937460449"), (" 9788937460449", nil, "9788937460449"),
        ("8937460440", "8937460440", nil), ("89-374-6044-0", "8937460440", nil), ("080442957x", "080442957X", nil),
        ("978-89-374-6044-9", nil, "9788937460449"), ("ISBN:9788937460449", nil, "9788937460449"),
        ("8937460441 9788937460440", nil, nil), ("4808937460449", nil, nil), ("", nil, nil), ("X937460440", nil, nil),
        ("고양이", nil, nil),
    ])
    func `ISBN-10 and ISBN-13 are recognised and verified`(_ text: String, _ ten: String?, _ thirteen: String?) {
        #expect(ISBN.ten(in: text.utf8.span) == ten)
        #expect(ISBN.thirteen(in: text.utf8.span) == thirteen)
    }
}
