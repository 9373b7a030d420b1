import JSON
import RPC
import SearchModel
import Terminal
import TestSupport
import Testing

@testable import Client
@testable import FullScreen

struct LiveModelTests {
    private func searched(_ keys: [String], next: String? = nil, columns: Int = 80, rows: Int = 24) throws -> LiveScript
    {
        var live = LiveScript(columns: columns, rows: rows)
        live.type("고양이")
        for key in keys { try live.hits(key) }
        let order = keys.map { #""a.b:\#($0)""# }.joined(separator: ",")
        let next = next.map { #""\#($0)""# } ?? "null"
        try live.answer(
            .search,
            #"{"query":"고양이","order":[\#(order)],"next":\#(next),"sources":[{"source":"a.b","status":"ok"}]}"#
        )
        return live
    }

    @Test func `each change of the query starts a search on the same channel`() {
        var live = LiveScript()
        live.type("고양")
        #expect(live.params(of: .search).count == 2)
        #expect(live.params(of: .search).allSatisfy { $0.contains(#""channel":"live""#) })
        #expect(live.params(of: .search)[1].hasPrefix(#"{"query":"고양","#))
        live.type(" ")
        #expect(live.params(of: .search).count == 2)
    }

    @Test func `the old list is replaced shortly after the first new hits, or when the new search ends`() throws {
        var live = try searched(["1", "2"])
        live.type("가")
        #expect(live.lines[22].contains("… searching"))
        try live.arrive([LiveScript.hit("9")])
        #expect(live.effects == [.wake])
        #expect(live.lines[2].contains("제목 1"))
        live.receive(.rested)
        #expect(live.lines[2].contains("제목 9"))
        #expect(live.lines[4] == "")
        live.type("나")
        try live.arrive([LiveScript.hit("7")])
        try live.answer(.search, LiveScript.end("7"))
        #expect(live.lines[2].contains("제목 7"))
    }

    @Test func `a keystroke writes at most 2 KiB to the terminal`() throws {
        func hit(_ letter: String, _ number: Int) -> String {
            let text = ["가": "가을에 온 고양이와 함께 사는", "나": "나무 위로 올라간 강아지 두 마리", "다": "다람쥐 쳇바퀴 돌리는 소리를"]
            return
                #"{"id":"a.b:\#(letter)\#(number)","source":"kakao.web","kind":"web","title":"\#(text[letter] ?? "") \#(number)","#
                + #""snippet":"\#(text[letter] ?? "") 이야기만 꺼내면","url":"https://\#(number).example/","#
                + #""published":"20\#(10 + number)-01-01T00:00:00Z"}"#
        }
        var live = LiveScript()
        var painter = Painter(Capabilities(hasColours: true))
        _ = painter.bytes(for: live.screen)
        for letter in ["가", "나", "다"] {
            live.type(letter)
            var bytes = painter.bytes(for: live.screen).count
            for source in 0..<3 {
                try live.arrive((0..<10).map { hit(letter, 3 * $0 + source) })
                bytes += painter.bytes(for: live.screen).count
                let id = live.sent.last { $0.method == .search }?.id ?? 0
                try live.notify("search/progress", #"{"request":\#(id),"answered":\#(source),"asked":3}"#)
                bytes += painter.bytes(for: live.screen).count
            }
            let order = (0..<30).reversed().map { #""a.b:\#(letter)\#($0)""# }.joined(separator: ",")
            try live.answer(.search, #"{"order":[\#(order)],"next":null,"sources":[]}"#)
            bytes += painter.bytes(for: live.screen).count
            #expect((500...2048).contains(bytes))
        }
    }

    @Test(arguments: [
        ("since:abc", " since: takes a date such as 2024-03-09, yesterday or 7d, not “abc”"),
        ("until:2024-13", " until: takes a date such as 2024-03-09, yesterday or 7d, not “2024-13”"),
        ("since:", " since: takes a date such as 2024-03-09, yesterday or 7d"),
        ("since:9999 until:9999", " since:9999 is in the future"),
        ("site:zzz", " site: takes a host such as example.org, not “zzz”"),
        ("since:2024 until:2023", " since:2024 is after until:2023"),
    ])
    func `if a filter is wrong, an error is shown instead of hits`(filter: String, text: String) throws {
        var live = try searched(["1"])
        live.type(" \(filter)")
        #expect(live.lines[23].hasPrefix(text))
        #expect(live.model.web.list.items.isEmpty && !live.model.isSearching)
    }

    @Test func `sources without a key are named, with the command that sets a key`() throws {
        var live = LiveScript(search: LiveSearch(sources: ["@web"]))
        let profile = #"{"name":"@web","about":"","sources":[],"off":["kakao.web","naver.web"]}"#
        try live.answer(.sourceList, #"{"sources":[],"profiles":[\#(profile)]}"#)
        let lines = live.lines.joined(separator: "\n")
        #expect(lines.contains(" @web: kakao.web, naver.web are off (no key). Set one with:"), "\(lines)")
    }

    @Test func `if only a part of the list was sorted, the status line shows the size of the sorted part`() throws {
        var live = LiveScript(search: LiveSearch(sort: .title))
        live.type("고양이")
        try live.hits("1", "2")
        let source =
            #"{"source":"a.b","status":"ok","total":10048,"totalIsEstimate":true,"sortedBy":"daemon","sorted":300}"#
        try live.answer(.search, #"{"order":["a.b:1","a.b:2"],"next":"N","sources":[\#(source)]}"#)
        #expect(live.lines[23].hasPrefix(" 1 · sorted the first 300 of about 10,048"))
    }

    @Test(arguments: [Key.Name.enter, .down])
    func `moving from the query field to the list keeps the selected hit`(key: Key.Name) throws {
        var live = try searched(["1", "2", "3"])
        live.press(key)
        #expect(live.lines[2].hasPrefix("▌") && live.lines[2].contains("제목 1"))
        live.press(.down)
        #expect(!live.lines[2].hasPrefix("▌"))
    }

    @Test func `hits of an earlier query are not shown`() throws {
        var live = try searched(["1"])
        let late = #"{"request":1,"source":"a.b","hits":[\#(LiveScript.hit("late"))]}"#
        try live.notify("search/hits", late)
        #expect(!live.lines.contains { $0.contains("late") })
    }

    @Test func `while a syllable is incomplete, the old list is shown`() throws {
        var live = try searched(["1"])
        live.type("ㅇ")
        try live.answer(
            .search,
            #"{"order":[],"next":null,"sources":[{"source":"a.b","status":"skipped","reason":"unfinished"}]}"#
        )
        #expect(live.lines[2].contains("제목 1"))
    }

    @Test func `if a hit is inserted above the selected item, the item keeps its row`() throws {
        var live = LiveScript()
        live.type("고양이")
        try live.hits("1", "2", "3")
        live.press(.down, .down)
        #expect(live.model.web.list.current?.id == "a.b:2")
        try live.hits("4")
        try live.answer(.search, LiveScript.end("4", "3", "1", "2"))
        #expect(live.model.web.list.current?.id == "a.b:2")
        #expect(live.model.web.list.items.map(\.id) == ["a.b:4", "a.b:3", "a.b:1", "a.b:2"])
        #expect(live.lines[4].hasPrefix("▌  제목 2"))
    }

    @Test func `the first hit is selected until the user selects a hit`() throws {
        var live = LiveScript()
        live.type("고양이")
        try live.hits("1", "2")
        try live.answer(.search, LiveScript.end("2", "1"))
        #expect(live.model.web.list.current?.id == "a.b:2")
    }

    @Test func `the next page is loaded near the end of the list`() throws {
        var live = try searched((1...30).map(String.init), next: "CURSOR")
        #expect(live.params(of: .search).count == 3)
        live.press(.down, .end)
        #expect(live.params(of: .search).last?.contains(#""cursor":"CURSOR""#) == true)
        try live.hits("31", "1", "32")
        try live.answer(.search, LiveScript.end("32", "31"))
        let ids = live.model.web.list.items.map(\.id.text)
        #expect(ids.suffix(3) == ["a.b:30", "a.b:32", "a.b:31"])
        #expect(ids.count == 32)
        #expect(live.model.web.list.current?.id == "a.b:30")
    }

    @Test func `a saved hit is marked, and saving and removing can be undone`() throws {
        var live = try searched(["1"])
        live.press(.down)
        live.type("s")
        #expect(live.params(of: .librarySave).last?.contains(#""id":"a.b:1""#) == true)
        let item = LiveScript.hit("1").dropLast() + #","savedAt":"2024-01-01T00:00:00Z","tags":["x"]}"#
        try live.answer(.librarySave, #"{"items":[\#(item)],"added":1,"revision":2}"#)
        #expect(live.lines[2].hasPrefix("▌★ 제목 1"))
        #expect(live.lines[23].contains("saved “제목 1” · u undoes it"))
        live.type("s")
        try live.answer(.libraryRemove, #"{"items":[\#(item)],"removed":1,"revision":3}"#)
        #expect(live.lines[2].hasPrefix("▌  제목 1"))
        live.type("u")
        #expect(live.params(of: .librarySave).last?.contains(#""tags":["x"]"#) == true)
        live.type("u")
        #expect(live.params(of: .libraryRemove).last == #"{"ids":["a.b:1"]}"#)
        live.type("u")
        #expect(live.lines[23].contains("nothing to undo"))
    }

    @Test func `items that another program saves or removes are marked`() throws {
        var live = try searched(["1", "2"])
        try live.answer(.libraryList, #"{"items":[],"total":0,"revision":7,"next":null}"#)
        #expect(live.params(of: .libraryWatch) == [#"{"since":7}"#])
        try live.notify(
            "library/changed",
            #"{"subscription":1,"revision":8,"inserted":[\#(LiveScript.hit("2"))],"updated":[],"deleted":[]}"#
        )
        #expect(live.lines[4].hasPrefix(" ★ 제목 2"))
        try live.notify(
            "library/changed",
            #"{"subscription":1,"revision":9,"inserted":[],"updated":[],"deleted":["a.b:2"]}"#
        )
        #expect(live.lines[4].hasPrefix("   제목 2"))
        live.receive(.disconnected)
        #expect(live.lines[23].contains("searchd is not running"))
        live.receive(.connected(isAgain: true))
        #expect(live.params(of: .libraryWatch).last == #"{"since":9}"#)
        #expect(live.lines[23].contains("searchd is back"))
        #expect(live.lines[2].contains("제목 1"))
    }

    @Test func `if the daemon does not answer, a message is shown until the next answer`() throws {
        var live = LiveScript()
        live.type("고양")
        live.receive(.silent("searchd (process 7) does not answer"))
        live.type("이")
        #expect(live.lines[23].contains("searchd (process 7) does not answer"))
        try live.answer(.search, #"{"hits":[],"sources":[],"next":null}"#)
        #expect(!live.lines[23].contains("does not answer"))
    }

    @Test func `a search interrupted by a daemon restart is repeated`() throws {
        var live = LiveScript()
        live.type("고")
        live.receive(.disconnected)
        live.type("양")
        #expect(live.params(of: .search).count == 1)
        #expect(live.effects == [.connect])
        live.receive(.connected(isAgain: true))
        #expect(live.params(of: .search).last?.hasPrefix(#"{"query":"고양","#) == true)
    }

    @Test func `if a cursor has expired, the list stays and a message says how to search again`() throws {
        var live = try searched((1...30).map(String.init), next: "OLD")
        live.press(.down)
        live.receive(.disconnected)
        live.receive(.connected(isAgain: true))
        live.press(.end)
        #expect(live.params(of: .search).last?.contains(#""cursor":"OLD""#) == true)
        try live.fail(.search, "invalidParams", "the cursor has expired")
        #expect(live.lines[23].contains("searchd was restarted: Ctrl-R searches again"))
        #expect(live.model.web.list.items.count == 30)
        #expect(live.model.web.list.current?.id == "a.b:30")
    }

    @Test func `a page interrupted by a daemon restart is requested again`() throws {
        var live = try searched((1...30).map(String.init), next: "MORE")
        live.press(.down, .end)
        let count = live.params(of: .search).count
        live.receive(.disconnected)
        live.receive(.connected(isAgain: true))
        #expect(live.params(of: .search).count == count + 1)
        #expect(live.params(of: .search).last?.contains(#""cursor":"MORE""#) == true)
    }

    @Test func `if all sources fail on a repeated search, the list stays and a message appears`() throws {
        var live = try searched(["1", "2"])
        live.press(.down, .down)
        live.receive(.input(.key(.control("r"))))
        #expect(live.params(of: .search).last?.contains(#""maxAge":0"#) == true)
        try live.fail(.search, "unavailable", "this machine is offline")
        #expect(live.lines[4].hasPrefix("▌  제목 2"))
        #expect(live.lines[23].hasPrefix(" not refreshed: this machine is offline"))
        #expect(live.lines[22].hasPrefix(" ✓ a.b"))
    }

    @Test func `a search is recorded when the user moves to the hits, not at each keystroke`() throws {
        var live = try searched(["1"])
        live.type("ㅅ")
        live.press(.backspace)
        #expect(live.recorded == [])
        live.press(.down)
        #expect(live.recorded == [#"{"query":"고양이","limit":30,"history":true}"#])
        live.type("/")
        live.press(.enter)
        #expect(live.recorded.count == 1)
        live.type("/ 집")
        live.receive(.input(.mouse(Mouse(.click, row: 3, column: 9))))
        #expect(live.recorded.last == #"{"query":"고양이 집","limit":30,"history":true}"#)
        #expect(LiveScript(query: "바다").recorded == [#"{"query":"바다","limit":30,"history":true}"#])
    }

    @Test func `words such as site:example.org in the query are sent as filters`() throws {
        var live = LiveScript()
        live.type("고양이 site:example.org since:2024-03")
        let filter = #""filter":{"site":"example.org","since":"2024-03-01T00:00:00+09:00"}"#
        #expect(live.params(of: .search).last?.contains(#"{"query":"고양이","#) == true)
        #expect(live.params(of: .search).last?.contains(filter) == true)
        try live.answer(
            .search,
            #"{"order":[],"next":"N","filtered":{"looked":200},"didYouMean":["goyangi"],"sources":[]}"#
        )
        #expect(live.lines[2] == " since:2024-03 site:example.org left out all of 200 hits. ↓ checks more hits.")
        #expect(!live.lines.contains { $0.contains("goyangi") })
        // A further page costs a call, so the page is loaded only after a keystroke.
        let count = live.params(of: .search).count
        live.press(.down)
        #expect(live.params(of: .search).count == count)
        live.press(.down)
        #expect(live.params(of: .search).last?.contains(#""cursor":"N""#) == true)
        try live.answer(.search, #"{"order":[],"next":null,"filtered":{"looked":150},"sources":[]}"#)
        #expect(live.lines[2] == " since:2024-03 site:example.org left out all of 350 hits.")
    }

    @Test func `a search without hits offers similar queries`() throws {
        var live = LiveScript()
        live.type("고양미")
        try live.answer(.search, #"{"order":[],"next":null,"didYouMean":["고양이"],"sources":[]}"#)
        #expect(live.lines[2...3] == [" Nothing found for “고양미”.", " Did you mean: 고양이? (→ takes the first)"])
        live.press(.right)
        #expect(live.model.web.field.text == "고양이")
        #expect(live.params(of: .search).last?.hasPrefix(#"{"query":"고양이","#) == true)
    }

    @Test func `if the query was typed in the wrong keyboard layout, the first suggestion corrects the query`() throws {
        var live = LiveScript()
        live.type("dkssudgktpdy")
        try live.answer(.suggest, #"{"suggestions":[{"text":"안녕"}]}"#)
        #expect(live.lines[1] == " Did you mean: 안녕하세요  안녕")
    }

    @Test func `without hits, the failures of sources are shown in full`() throws {
        var live = LiveScript()
        live.type("x")
        let error = #"{"code":-32005,"message":"\#(String(repeating: "no connection ", count: 9))","data":{}}"#
        let sources = #"[{"source":"a.b","status":"failed","error":\#(error)},{"source":"c.d","status":"ok"}]"#
        try live.answer(.search, #"{"order":[],"next":null,"sources":\#(sources)}"#)
        #expect(live.lines[2].hasPrefix(" ✗ a.b: no connection"))
        #expect(live.lines[3].contains("connection"))
        #expect(live.lines[4] == " Nothing found for “x”.")
        #expect(live.lines[22] == " ✓ c.d")
    }

    @Test func `offline mode searches only this machine`() throws {
        var live = try searched(["1"])
        live.receive(.input(.key(.control("o"))))
        #expect(live.lines[0].hasPrefix("offline›"))
        let params = #""sources":["@default","library","seen"],"offline":true"#
        #expect(live.params(of: .search).last?.contains(params) == true)
    }

    @Test func `the arrow keys set the stars of a note`() throws {
        var live = try searched(["1"])
        live.press(.down)
        live.type("n")
        live.press(.up, .up, .up)
        live.type("좋다")
        #expect(live.lines[22] == "a note · ↑ ↓ change stars · Alt-Enter adds a line · Enter saves · Esc cancels")
        #expect(live.lines[23] == "note ★★★☆☆ 좋다")
        live.press(.enter)
        #expect(live.params(of: .librarySave).last?.hasSuffix(#""note":{"text":"좋다","rating":3}}"#) == true)
    }

    @Test func `a failed search shows the error, and the next keystroke searches again`() throws {
        var live = LiveScript()
        live.type("고")
        try live.fail(.search, "unavailable", "all sources failed")
        #expect(live.lines[2] == " all sources failed")
        live.type("양")
        #expect(live.params(of: .search).count == 2)
    }

    @Test func `commands such as j and q also work with a Korean keyboard layout`() throws {
        var live = try searched(["1", "2", "3"])
        live.press(.down)
        live.type("ㅓㅓㅏ")
        #expect(live.model.web.list.selected == 1)
        live.type("ㅂ")
        #expect(live.effects == [.quit(.found)])
    }

    @Test func `the arrow keys show earlier searches and return to the typed text`() throws {
        var live = LiveScript()
        try live.answer(.historyList, #"{"entries":[{"query":"둘"},{"query":"하나"}]}"#)
        live.type("새")
        live.press(.up)
        #expect(live.model.pane.field.text == "둘")
        live.press(.up, .up)
        #expect(live.model.pane.field.text == "하나")
        live.press(.down, .down)
        #expect(live.model.pane.field.text == "새")
        #expect(live.model.focus == .field)
        live.press(.down)
        #expect(live.model.focus == .list)
    }

    @Test func `suggestions appear below the query, and Tab chooses a suggestion`() throws {
        var live = LiveScript()
        live.type("고")
        try live.answer(.suggest, #"{"suggestions":[{"text":"고양이"},{"text":"고래"}]}"#)
        #expect(live.lines[1] == " 고양이  고래")
        live.press(.tab, .tab)
        #expect(live.model.web.field.text == "고래")
        #expect(live.screen.texts(row: 1) { $0.isReversed } == ["고래"])
        live.receive(.input(.key(Key(.tab, hasShift: true))))
        #expect(live.model.web.field.text == "고양이")
    }

    @Test func `a click selects a hit, a second click shows the details, and the wheel moves the selection`() throws {
        var live = try searched(["1", "2", "3"])
        live.receive(.input(.mouse(Mouse(.click, row: 5, column: 9))))
        #expect(live.model.web.list.selected == 1)
        #expect(live.model.focus == .list)
        live.receive(.input(.mouse(Mouse(.click, row: 4, column: 9))))
        #expect(live.params(of: .lookup) == [#"{"id":"a.b:2"}"#])
        live.receive(.input(.mouse(Mouse(.wheelDown, row: 3, column: 9))))
        #expect(live.model.web.list.selected == 2)
        #expect(live.effects == [.wake])
        live.receive(.rested)
        #expect(live.params(of: .lookup).last == #"{"id":"a.b:3"}"#)
    }

    @Test func `after random events the screen has the size of the terminal`() throws {
        var random = SeededGenerator(seed: testSeed())
        let texts = "고양이ㅇqjkKcfLotndsyuv?/ gG".unicodeScalars.map { InputEvent.text(String($0)) }
        let keys: [Key.Name] = [.up, .down, .pageUp, .pageDown, .home, .end, .enter, .escape, .tab, .backspace]
        for _ in 0..<40 {
            var live = LiveScript()
            for _ in 0..<60 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    let (columns, rows) = (
                        Int.random(in: 1...400, using: &random), Int.random(in: 1...120, using: &random)
                    )
                    live.receive(.resized(columns: columns, rows: rows))
                case 1: try live.hits(String(Int.random(in: 0...50, using: &random)))
                case 2: try live.answer(.search, LiveScript.end("1", "2", "3", next: "more"))
                case 3:
                    let sources = Documents.list(Documents.source("a.b"), Documents.source("kakao.blog"))
                    try live.answer(.sourceList, sources)
                    try live.answer(.lookup, #"{"hit":\#(LiveScript.hit("1")),"full":true,"elapsed":1}"#)
                case 4:
                    let (row, column) = (
                        Int.random(in: 0...119, using: &random), Int.random(in: 0...399, using: &random)
                    )
                    let action = [Mouse.Action.click, .wheelUp, .wheelDown].randomElement(using: &random) ?? .click
                    live.receive(.input(.mouse(Mouse(action, row: row, column: column))))
                case 5...7: live.receive(.input(texts.randomElement(using: &random) ?? texts[0]))
                default: live.receive(.input(.key(Key(keys.randomElement(using: &random) ?? .up))))
                }
                let screen = live.screen
                #expect(screen.columns == live.model.columns && screen.rows == live.model.rows)
            }
        }
    }
}

struct HitListTests {
    private func hit(_ number: Int) throws -> JSONCursor {
        try SourceEntries.cursor(#"{"id":"a.b:\#(number)","source":"a.b","title":"\#(number)"}"#)
    }

    private func grid(rows: Int, itemRows: Int = 2) -> ItemGrid {
        ItemGrid(LiveLayout.Area(row: 0, column: 0, rows: rows, columns: 80), itemRows: itemRows)
    }

    @Test func `the number of hits in a list is limited`() throws {
        let all = try (0...HitList.itemsMax).map(hit)
        var list = HitList()
        list.add(all)
        list.finish(order: nil, next: "more")
        #expect(list.items.count == HitList.itemsMax)
        #expect(list.next == nil)
    }

    @Test func `the selected item is scrolled into view`() throws {
        var list = HitList()
        list.add(try (0..<10).map(hit))
        list.select(9)
        list.scroll(grid(rows: 6))
        #expect(list.top == 7)
        list.select(0)
        list.scroll(grid(rows: 6))
        #expect(list.top == 0)
        list.select(5)
        list.scroll(grid(rows: 1))
        #expect(list.top == 5)
    }

    @Test func `a hit that arrives twice is listed once`() throws {
        var list = HitList()
        list.add([try hit(1), try hit(2), try hit(1)])
        list.beginPage()
        list.add([try hit(2), try hit(3)])
        list.finish(order: ["a.b:3"], next: nil)
        #expect(list.items.map(\.id.text) == ["a.b:1", "a.b:2", "a.b:3"])
    }

    @Test func `a hit missing from the final order is removed, and a later page can add it`() throws {
        var list = HitList()
        list.begin("x")
        list.add([try hit(1), try hit(2)])
        list.finish(order: ["a.b:2"], next: "more")
        #expect(list.items.map(\.id.text) == ["a.b:2"])
        list.beginPage()
        list.add([try hit(1)])
        list.finish(order: ["a.b:1"], next: nil)
        #expect(list.items.map(\.id.text) == ["a.b:2", "a.b:1"])
    }

    @Test func `the history has each query once, up to a limit, with the latest query first`() {
        var history = QueryHistory()
        for number in 0...QueryHistory.countMax { history.add("q\(number)") }
        #expect(history.queries.count == QueryHistory.countMax)
        history.add("q7")
        #expect(history.queries.first == "q7")
        #expect(history.queries.count { $0 == "q7" } == 1)
        history.add("")
        #expect(history.queries.first == "q7")
    }
}
