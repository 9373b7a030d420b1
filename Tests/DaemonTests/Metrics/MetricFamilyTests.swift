import EventLoop
import Testing

@testable import Daemon

struct MetricFamilyTests {
    @Test func `a counter has help, a type and a line for each sample`() {
        var family = MetricFamily("searchd_calls_total", "Calls.")
        family.add(3, ("source", "kakao.blog"), ("status", "200"))
        family.add(1, ("source", "kakao.blog"), ("status", "timeout"))
        #expect(
            family.text == """
                # HELP searchd_calls_total Calls.
                # TYPE searchd_calls_total counter
                searchd_calls_total{source="kakao.blog",status="200"} 3
                searchd_calls_total{source="kakao.blog",status="timeout"} 1

                """
        )
    }

    @Test func `the last bucket of a histogram is +Inf, and bounds are in seconds`() {
        var histogram = LatencyHistogram(bounds: [.milliseconds(5), .seconds(1)])
        for milliseconds in [1, 5, 6, 1000, 2500] as [Int64] { histogram.add(nanoseconds: milliseconds * 1_000_000) }
        var family = MetricFamily("searchd_turn_seconds", "Turns.")
        family.add(histogram)
        #expect(
            family.text == """
                # HELP searchd_turn_seconds Turns.
                # TYPE searchd_turn_seconds histogram
                searchd_turn_seconds_bucket{le="0.005"} 2
                searchd_turn_seconds_bucket{le="1"} 4
                searchd_turn_seconds_bucket{le="+Inf"} 5
                searchd_turn_seconds_sum 3.512
                searchd_turn_seconds_count 5

                """
        )
    }

    @Test func `quotes, backslashes and newlines are escaped`() {
        var family = MetricFamily("searchd_x", "Back\\slash,\nline.")
        family.add(1, ("name", "a\"b\\c\nd고"))
        let lines = family.text.split(separator: "\n")
        #expect(lines.first == #"# HELP searchd_x Back\\slash,\nline."#)
        #expect(lines.last == #"searchd_x{name="a\"b\\c\nd고"} 1"#)
    }

    @Test func `a metric without samples is not written`() {
        #expect(MetricFamily("searchd_none", "None.").text.isEmpty)
    }

    @Test(arguments: [(0, "0"), (12, "12"), (0.5, "0.5"), (0.0001, "0.0001"), (1e9, "1000000000"), (-3, "-3")])
    func `whole numbers have no fraction or exponent`(number: Double, text: String) {
        #expect(DecimalText.text(number) == text)
    }
}
