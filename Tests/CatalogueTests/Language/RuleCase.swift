import JSON

/// A rule of a source file, a JSON element, and the value that the rule reads from it.
struct RuleCase: Sendable {
    let rule: String
    let element: String
    let expected: JSONValue?

    init(_ rule: String, _ element: String, _ expected: JSONValue?) {
        self.rule = rule
        self.element = element
        self.expected = expected
    }

    static let all: [RuleCase] = [
        RuleCase(#""a""#, #""a":"x""#, "x"),
        RuleCase(#""a""#, #""a":5.50"#, .number(JSONNumber(validatedText: "5.50"))),
        RuleCase(#""a""#, #""a":true"#, true),
        RuleCase(#""a""#, #""a":null"#, nil),
        RuleCase(#""a""#, #""a":{"b":1}"#, nil),
        RuleCase(#""a""#, #""a":["x",1,null]"#, ["x", 1]),
        RuleCase(#""a.b[0].c""#, #""a":{"b":[{"c":7}]}"#, 7),
        RuleCase(#"["a.b", "a.c"]"#, #""a":{"b":1},"a":{"c":2}"#, 2),
        RuleCase(#"["a.b", "a.c"]"#, #""a":{"b":1},"a":7"#, nil),
        RuleCase(#""longer.name""#, #""long\u0065r":{"name":1,"na\u006De":2,"same":3}"#, 2),
        RuleCase(#""a[-1]""#, #""a":[1,2,3]"#, 3),
        RuleCase(#""a[3]""#, #""a":[1,2,3]"#, nil),
        RuleCase(#""a[].b""#, #""a":[{"b":1},{},{"b":2}]"#, [1, 2]),
        RuleCase(#""a[t=x].b""#, #""a":[{"t":"y","b":1},{"t":"x","b":2}]"#, [2]),
        RuleCase(#"["a", "b"]"#, #""a":"","b":"x""#, "x"),
        RuleCase(#"["a", { constant: "c" }]"#, #""b":1"#, "c"),
        RuleCase(#"{ constant: ["c", 1] }"#, #""b":1"#, ["c", 1]),
        RuleCase(#"{ from: ["a", "b"], do: { join: "-" } }"#, #""a":"x","b":2"#, "x-2"),
        RuleCase(#"{ from: "a", do: { split: "^" } }"#, #""a":"x^y^^z""#, ["x", "y", "z"]),
        RuleCase(#"{ from: "a", do: [{ split: "^" }, "last"] }"#, #""a":"x^y""#, "y"),
        RuleCase(#"{ from: "a", do: [{ split: "^" }, { limit: 1 }] }"#, #""a":"x^y""#, ["x"]),
        RuleCase(#"{ from: "a", do: "number" }"#, #""a":"1,234""#, 1234),
        RuleCase(#"{ from: "a", do: "number" }"#, #""a":"1.5""#, .number(JSONNumber(validatedText: "1.5"))),
        RuleCase(#"{ from: "a", do: "number" }"#, #""a":"x""#, nil),
        RuleCase(#"{ from: "a", do: "number" }"#, #""a":"1e5""#, nil),
        RuleCase(#"{ from: "a", do: "number" }"#, #""a":"""#, nil),
        RuleCase(#"{ from: "a", do: "number" }"#, #""a":"nan""#, nil),
        RuleCase(#"{ from: "a", do: { divide: 1000 } }"#, #""a":5000"#, 5),
        RuleCase(#"{ from: "a", do: { divide: 1000, whole: true } }"#, #""a":"1499""#, 1),
        RuleCase(#"{ from: "a", do: { divide: 1000, whole: true } }"#, #""a":1500"#, 2),
        RuleCase(#"{ from: "a", do: { within: [1, 5] } }"#, #""a":6"#, nil),
        RuleCase(#"{ from: "a", do: { omit: [-1, "x"] } }"#, #""a":-1"#, nil),
        RuleCase(#"{ from: "a", do: { omit: [-1, "x"] } }"#, #""a":"x""#, nil),
        RuleCase(#"{ from: "a", do: { map: { A: "one" } } }"#, #""a":"A""#, "one"),
        RuleCase(#"{ from: "a", do: { map: { A: "one" } } }"#, #""a":"B""#, "B"),
        RuleCase(#"{ from: "a", do: { map: { A: "one" }, others: "drop" } }"#, #""a":"B""#, nil),
        RuleCase(#"{ from: "a", do: "bool" }"#, #""a":"Y""#, true),
        RuleCase(#"{ from: "a", do: "bool" }"#, #""a":0"#, false),
        RuleCase(#"{ from: "a", do: [{ after: "(" }, { before: ")" }] }"#, #""a":"x (y) z""#, "y"),
        RuleCase(#"{ from: "a", do: { after: "(" } }"#, #""a":"x""#, nil),
        RuleCase(#"{ from: "a", do: [{ trimPrefix: "x" }, { trimSuffix: "z" }] }"#, #""a":"xyz""#, "y"),
        RuleCase(#"{ from: "a", do: { replace: "y", with: "" } }"#, #""a":"xyz""#, "xz"),
        RuleCase(
            #"{ from: "a", do: { date: "epochMilliseconds", zone: "-05:00" } }"#,
            #""a":1710000000000"#,
            "2024-03-09T11:00:00-05:00"
        ),
        RuleCase(
            #"{ from: "a", do: { date: "iso", precision: "day" } }"#,
            #""a":"2024-03-09""#,
            "2024-03-09T00:00:00Z"
        ),
        RuleCase(#"{ from: "a", do: "url" }"#, #""a":"javascript:alert(1)""#, nil),
        RuleCase(#"{ from: "a", do: "scheme" }"#, #""a":"example.org/x""#, "https://example.org/x"),
        RuleCase(#"{ from: "a", do: "uppercase" }"#, #""a":"straße""#, "STRASSE"),
        RuleCase(#"{ from: "a", do: "first" }"#, #""a":"x""#, "x"),
        RuleCase(#"{ from: "a", do: "lowercase" }"#, #""a":"ÀBC ΣΣ""#, "àbc σσ"),
        RuleCase(#"{ from: "a", do: "lowercase" }"#, #""a":["A","B"]"#, ["a", "b"]),
        RuleCase(#"{ from: "a", do: "secure" }"#, #""a":"http:\/\/x.org\/""#, "https://x.org/"),
        RuleCase(#"{ from: "a", do: "secure" }"#, #""a":7"#, "7"),
        RuleCase(#"{ from: "a", do: ["html", "secure"] }"#, #""a":"<b>x</b>""#, "x"),
        RuleCase(#"{ from: "a", do: [{ split: "," }, "entities"] }"#, #""a":"x&amp;y,,z""#, ["x&y", "z"]),
        RuleCase(#"{ from: "a", do: [{ split: "," }, { join: "," }, { split: "y" }] }"#, #""a":"x,y""#, ["x,"]),
        RuleCase(#"{ from: ["a", "b[]", "c"], do: { limit: 3 } }"#, #""a":["x",""],"b":[1,[2]],"c":"""#, ["x", 1]),
        RuleCase(#"{ from: "a", do: { limit: 2 } }"#, #""a":"x""#, ["x"]),
        RuleCase(#"{ from: "a", do: { omit: ["x", "고"] } }"#, #""a":["x","고","y"]"#, ["y"]),
        RuleCase(#"{ from: "a", do: { format: "<{}>" } }"#, #""a":-1.50"#, "<-1.50>"),
        RuleCase(#"{ from: "a", do: { format: "<{}>" } }"#, #""a":"""#, nil),
        RuleCase(#"{ from: "a", do: ["bool", { format: "{}!" }] }"#, #""a":"yes""#, "true!"),
        RuleCase(#"{ from: "a", do: [{ date: "iso" }, { before: "T" }] }"#, #""a":"2024-03-09""#, "2024-03-09"),
        RuleCase(#"{ from: "a", do: "number" }"#, #""a":"007""#, 7),
        RuleCase(#"{ from: "a", do: "number" }"#, #""a":"-0""#, 0),
        RuleCase(
            #"{ from: "a", do: "number" }"#,
            #""a":"12345678901234567890""#,
            JSONNumber(12345678901234567890.0).map(JSONValue.number)
        ),
        RuleCase(
            #"{ from: "a", do: { divide: 10000000 } }"#,
            #""a":"1279489600""#,
            JSONNumber(127.94896).map(JSONValue.number)
        ),
        RuleCase(#"{ from: "a", do: { divide: 2 } }"#, #""a":-0"#, 0),
        RuleCase(#"{ from: "a", do: { divide: 3 } }"#, #""a":1e300"#, JSONNumber(1e300 / 3).map(JSONValue.number)),
        RuleCase(
            #"{ from: "a", do: { url: "https://x.org/p/q" } }"#,
            #""a":["/a","b","\/\/c.org\/d","mailto:x"]"#,
            ["https://x.org/a", "https://x.org/p/b", "https://c.org/d"]
        ),
        RuleCase(#"{ from: "a", do: "encode" }"#, #""a":"a b/책""#, "a_b/%EC%B1%85"),
        RuleCase(#"{ from: "a", do: { queryItem: "q r" } }"#, #""a":"http://x.org/?q%20r=1+%262#q%20r=3""#, "1 &2"),
        RuleCase(#"{ from: "a", do: { replace: "aa", with: "b" } }"#, #""a":"aaaxaa""#, "baxb"),
        RuleCase(#"{ from: "a.b", do: "first" }"#, #""a":{"b":1},"a":{"c":2}"#, nil),
        RuleCase(#"{ from: ".", do: "first" }"#, #""a":"x""#, nil),
        RuleCase(#""a""#, #""a":"\u0000\u202e""#, nil),
        RuleCase(#""a""#, #""a":[]"#, nil),
        RuleCase(#""a""#, #""a":"\ud800x""#, "\u{FFFD}x"),
        RuleCase(#""a""#, #""a":[["x"]]"#, nil),
    ]
}
