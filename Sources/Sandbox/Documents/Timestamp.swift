/// A time in seconds since 1970.
///
/// It has its own calendar code, because tests check the daemon's calendar code with this type.
struct Timestamp: Equatable, Sendable {
    var seconds: Int

    /// 2026-11-20T12:00:00Z, the latest possible date of the documents that exist when the server starts.
    ///
    /// Documents that are added later are newer.
    static let newest = Timestamp(seconds: 1_795_176_000)

    func civil(hours: Int = 0) -> (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        let local = seconds + hours * 3600
        let time = local % 86_400
        // Years start in March here, so the leap day is the last day. 146,097 days are 400 years.
        let (era, day) = (local / 86_400 + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNewYear = month >= 10
        return (
            era * 400 + year + (isNewYear ? 1 : 0), isNewYear ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1, time / 3600, time / 60 % 60, time % 60
        )
    }

    func text(_ format: String, hours: Int) -> String {
        let civil = civil(hours: hours)
        var text: [UInt8] = []
        var letters = format.utf8.makeIterator()
        while let letter = letters.next() {
            guard letter == UInt8(ascii: "%"), let field = letters.next() else {
                text.append(letter)
                continue
            }
            switch field {
            case UInt8(ascii: "Y"): text += padded(civil.year, 4).utf8
            case UInt8(ascii: "m"): text += padded(civil.month).utf8
            case UInt8(ascii: "d"): text += padded(civil.day).utf8
            case UInt8(ascii: "H"): text += padded(civil.hour).utf8
            case UInt8(ascii: "M"): text += padded(civil.minute).utf8
            case UInt8(ascii: "S"): text += padded(civil.second).utf8
            case UInt8(ascii: "a"): text += Self.days[((seconds + hours * 3600) / 86_400 + 4) % 7].utf8
            case UInt8(ascii: "b"): text += Self.months[civil.month - 1].utf8
            default: preconditionFailure("unknown field of the date \(format)")
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
