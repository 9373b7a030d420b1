import JSON
import TestSupport
import Testing

@testable import Catalogue

struct DecimalTextTests {
    private func isInteger(_ text: String) -> Bool { DecimalText.isInteger(text.utf8.span) }
    private func double(_ text: String) -> Double { DecimalText.double(text.utf8.span) }
    private func number(_ text: String) -> String? { DecimalText.number(spelledBy: text.utf8.span)?.text }

    @Test(arguments: ["0", "7", "-7", "10", "123456789012345", "-123456789012345"])
    func `what JSON would write just so is an integer`(_ text: String) {
        #expect(isInteger(text))
        #expect(number(text) == text)
    }

    @Test(arguments: ["", "-", "-0", "00", "07", "-07", "+7", " 7", "1.0", "1e3", "1234567890123456", "७"])
    func `anything else needs a closer look`(_ text: String) {
        #expect(!isInteger(text))
    }

    @Test func `a double is the nearest one, however many digits there are`() {
        var generator = SeededGenerator(seed: testSeed())
        for _ in 0..<5000 {
            var digits: [Character] = []
            for _ in 0..<Int.random(in: 1...18, using: &generator) {
                digits.append("0123456789".randomElement(using: &generator) ?? "0")
            }
            let point = Int.random(in: 1...digits.count, using: &generator)
            let sign = Bool.random(using: &generator) ? "-" : ""
            let fraction = point == digits.count ? "" : "." + String(digits[point...])
            let text = sign + String(digits[..<point]) + fraction
            #expect(double(text).bitPattern == Double(text)?.bitPattern, "\(text)")
        }
        #expect(double("1e300") == 1e300)
    }
}
