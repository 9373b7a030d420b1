import TestSupport
import Testing

@testable import Sandbox

/// The world of documents below all imitations.
@Suite struct DataTests {
    @Test func `every order lists every document once`() {
        var generator = SeededGenerator(seed: testSeed())
        for _ in 0..<200 {
            let count = Int.random(in: 1...3_000, using: &generator)
            let shuffle = Shuffle(count: count, salt: generator.next())
            let ranks = (0..<count).map(shuffle.rank)
            #expect(Set(ranks) == Set(0..<count))
            #expect((0..<count).allSatisfy { shuffle.position(of: ranks[$0]) == $0 })
        }
    }

    @Test(arguments: ["cat", "고양이", "tulip", "고양이 사료", "cat dog"])
    func `newest and oldest are each other's reverse, and fall and rise`(query: String) {
        func listing(_ order: Order) -> Listing {
            Listing(source: "test", seed: 3, topic: Topic(query), share: 0.01, order: order)
        }
        let newest = listing(.newest)
        let dates = (0..<min(newest.count, 2_000)).map { newest.document(at: $0).date.seconds }
        #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 > $1 })
        #expect(newest.document(at: 0) == listing(.oldest).document(at: newest.count - 1))
        #expect(listing(.relevance).document(at: 0) == newest.document(index: 0))
    }

    @Test func `arrivals stand in front and move nothing else`() {
        let topic = Topic("cat")
        let before = Listing(source: "test", seed: 3, topic: topic, order: .newest)
        let after = Listing(source: "test", seed: 3, topic: topic, order: .newest, arrivals: 5)
        #expect(after.count == before.count + 5)
        #expect((0..<50).allSatisfy { after.document(at: $0 + 5) == before.document(at: $0) })
        let dates = (0..<7).map { after.document(at: $0).date.seconds }
        #expect(dates == dates.sorted(by: >) && Set(dates).count == 7)
    }

    @Test func `common words have many documents, rare ones few, nonsense none`() {
        #expect(["cat", "Cat", "고양이", "서울"].allSatisfy { Topic($0).abundance >= 40_000 })
        #expect(["tulip", "zebra", "누룽지"].allSatisfy { (1...160).contains(Topic($0).abundance) })
        #expect(["zxqvkjw", "ㅋㅋㅋ", "", "   ", "삵뷁", "cat zxqvkjw"].allSatisfy { Topic($0).abundance == 0 })
        #expect(Topic("Cat  DOG").key == Topic("cat dog").key)
        #expect(Topic("cat dog").abundance < Topic("cat").abundance)
        #expect(Topic(String(repeating: "cat ", count: 50)).words.count == Topic.wordsMax)
    }

    @Test func `documents differ from each other`() {
        let listing = Listing(source: "test", seed: 1, topic: Topic("cat"))
        let titles = (0..<400).map { index -> String in
            var prose = Prose(listing.document(at: index), topic: Topic("cat"))
            return prose.title().plain
        }
        #expect(Set(titles).count > 150)
        var dice = Dice(1)
        let throws_ = (0..<6_000).reduce(into: [Int: Int]()) { counts, _ in counts[dice.roll(6), default: 0] += 1 }
        #expect(throws_.count == 6 && throws_.values.allSatisfy { (850...1_150).contains($0) })
    }

    @Test func `the same seed is the same world, another seed another`() {
        func ids(_ seed: UInt64) -> [String]? {
            var options = SandboxOptions()
            options.seed = seed
            return SandboxResponder(options: options).truth(of: "naver.blog", query: "cat", at: noon)?.ids
        }
        #expect(ids(1) == ids(1))
        #expect(Set(ids(1) ?? []).isDisjoint(with: Set(ids(2) ?? [])))
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 09:00:00 +0900", "19700101"),
        (951_782_400, "2000-02-29T00:00:00Z", "Tue, 29 Feb 2000 09:00:00 +0900", "20000229"),
        (1_709_952_711, "2024-03-09T02:51:51Z", "Sat, 09 Mar 2024 11:51:51 +0900", "20240309"),
        (-1, "1969-12-31T23:59:59Z", "Thu, 01 Jan 1970 08:59:59 +0900", "19700101"),
    ])
    func `a moment is written in every form`(seconds: Int, zulu: String, mail: String, day: String) {
        let moment = Timestamp(seconds: seconds)
        #expect(moment.zulu == zulu && moment.mail == mail && moment.compactDay == day)
    }

    @Test func `book numbers have right check digits`() {
        #expect(ISBN.thirteen(body: 30_640_615) == "9780306406157")
        #expect(ISBN.ten(body: 30_640_615) == "0306406152")
        #expect(ISBN.ten(body: 80_442_957) == "080442957X")
        #expect(ISBN.isValid("978-0-306-40615-7") && ISBN.isValid("080442957X"))
        #expect(
            !ISBN.isValid("9780306406158") && !ISBN.isValid("0306406153") && !ISBN.isValid("") && !ISBN.isValid("9")
        )
    }

    @Test func `a picture is a whole PNG file of the asked size`() throws {
        #expect(PNG.crc32(Array("IEND".utf8)) == 0xAE42_6082)
        #expect(PNG.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
        let colours = (PNG.Colour(255, 255, 255), PNG.Colour(0, 0, 0))
        let bytes = PNG.image(width: 600, height: 1_200, colours: colours) { column, row in column == row }
        #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(bytes[16..<24]) == [0, 0, 2, 88, 0, 0, 4, 176])
        // Every chunk's checksum fits, and the last chunk is the end.
        var rest = bytes.dropFirst(8)
        var types: [String] = []
        while rest.count >= 12 {
            let start = rest.startIndex
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let content = Array(rest[(start + 4)..<(start + 8 + length)])
            let sum = rest[(start + 8 + length)..<(start + 12 + length)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(PNG.crc32(content) == sum)
            types.append(String(decoding: content.prefix(4), as: UTF8.self))
            rest = rest.dropFirst(12 + length)
        }
        #expect(types == ["IHDR", "PLTE", "IDAT", "IEND"] && rest.isEmpty)
    }
}
