import JSON
import Testing

@testable import Catalogue

struct XMLReaderTests {
    private func json(_ xml: String) throws -> String {
        String(decoding: try XMLReader.json(of: Array(xml.utf8)), as: UTF8.self)
    }

    static let documents = [
        ("<a/>", #"{"a":""}"#), ("<a>1 &amp; 2</a>", #"{"a":"1 & 2"}"#),
        (
            "<?xml version='1.0'?><!-- c --><!DOCTYPE a><a><b>1</b><c/><b>2</b></a>\n",
            #"{"a":{"b":["1","2"],"c":[""]}}"#
        ),
        ("<a x='1' y=\"&lt;\">t<b/></a>", ##"{"a":{"@x":"1","@y":"<","#text":"t","b":[""]}}"##),
        ("<a><![CDATA[<b>&amp;]]></a>", #"{"a":"<b>&amp;"}"#), ("<x:a>고양이&#x21;</x:a>", #"{"x:a":"고양이!"}"#),
        ("<a> <b> </b> </a>", #"{"a":{"b":[" "]}}"#),
    ]

    @Test(arguments: documents) func `elements become members, and children become lists`(xml: String, wanted: String)
        throws
    {
        #expect(try json(xml) == wanted)
    }

    @Test(arguments: [
        "", "a", "<a>", "<a></b>", "<a b></a>", "<a b=1/>", "<a b='1' b='2'/>", "<a/><b/>", "<a>&unknown;</a>",
        "<a b='<'/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a><!-- </a>", "<a><![CDATA[</a>", "</a>", "<a/>t",
        "<a x='1'y='2'/>",
    ])
    func `malformed documents are rejected`(xml: String) {
        #expect(throws: XMLReader.Failure.self) { try json(xml) }
    }

    @Test func `the depth and the number of elements are limited, and the encoding must be UTF-8`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        _ = try json(nested(XMLReader.depthMax))
        #expect(throws: XMLReader.Failure.self) { try json(nested(XMLReader.depthMax + 1)) }
        func wide(_ count: Int) -> String { "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>" }
        _ = try json(wide(XMLReader.elementsMax))
        #expect(throws: XMLReader.Failure.self) { try json(wide(XMLReader.elementsMax + 1)) }
        #expect(throws: XMLReader.Failure.self) {
            try XMLReader.json(of: Array("<a>".utf8) + [0xB0, 0xA1] + Array("</a>".utf8))
        }
    }
}
