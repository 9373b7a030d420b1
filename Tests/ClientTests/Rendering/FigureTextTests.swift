import Testing

@testable import Client

struct FigureTextTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (-1234, "-1,234"),
        (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func `thousands are set apart`(number: Int, text: String) {
        #expect(FigureText.grouped(number) == text)
    }

    @Test(arguments: [
        (0.04, "0.0 ms"), (0.45, "0.5 ms"), (9.94, "9.9 ms"), (9.96, "10 ms"), (999.4, "999 ms"), (999.6, "1.0 s"),
        (2500, "2.5 s"), (59_400, "59 s"), (59_600, "1 min"), (200_000, "3 min 20 s"), (3_661_500, "1 h 1 min"),
        (18_000_000, "5 h"), (352_800_000, "4 d 2 h"), (.infinity, "?"), (-.infinity, "?"), (.nan, "?"), (1e300, "?"),
    ])
    func `times are in the unit a reader expects`(milliseconds: Double, text: String) {
        #expect(FigureText.time(milliseconds: milliseconds) == text)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (1023, "1,023 bytes"), (1024, "1 KiB"), (5500, "5.4 KiB"),
        (67_108_864, "64 MiB"),
        (1_047_552, "1 MiB"), (Int.max, "8388608 TiB"),
    ])
    func `sizes are in the unit a reader expects`(number: Int, text: String) {
        #expect(FigureText.bytes(number) == text)
    }

    @Test(arguments: [(0, 0, "0 %"), (0, 9, "0 %"), (1, 1000, "1 %"), (999, 1000, "99 %"), (1000, 1000, "100 %")])
    func `only all of it is a hundred percent`(part: Int, whole: Int, text: String) {
        #expect(FigureText.percent(part, of: whole) == text)
    }

    @Test func `a list of names is cut where a reader would skip the rest`() {
        let names = (1...7).map { "s\($0)" }
        #expect(FigureText.names([]) == "")
        #expect(FigureText.names(["s1"]) == "s1")
        #expect(FigureText.names(Array(names.prefix(6))) == "s1, s2, s3, s4, s5, s6")
        #expect(FigureText.names(names) == "s1, s2, s3, s4, s5 and 2 more")
    }

    @Test(arguments: [
        (0, "0 s"), (59.9, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"), (172_799, "47 h"),
        (172_800, "2 days"), (-1, "0 s"),
    ])
    func `an age is no more exact than anybody needs`(seconds: Double, text: String) {
        #expect(FigureText.age(seconds: seconds) == text)
    }
}
