/// A moment in seconds since 1970, and how it is written.
///
/// The mock server has its own calendar, so that a mistake in the daemon's can't cancel itself out in a test.
struct Timestamp: Equatable, Sendable {
    var seconds: Int

    /// The newest document of the data set is from here: 2026-11-20T12:00:00Z.
    static let newest = Timestamp(seconds: 1_795_176_000)

    static let koreaOffset = 9 * 3600

    /// Year, month, day, hour, minute, second at an offset from UTC; right for all dates after 1970.
    func civil(offset: Int = 0) -> (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        let local = seconds + offset
        let time = local % 86_400
        // Counts years from March, so that a leap day is the last day of its year; 400 years have 146,097 days.
        let days = local / 86_400 + 719_468
        let (era, day) = days.quotientAndRemainder(dividingBy: 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNewYear = month >= 10
        return (
            era * 400 + year + (isNewYear ? 1 : 0), isNewYear ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1, time / 3600, time / 60 % 60, time % 60
        )
    }

    /// The text of a format: `%Y %m %d %H %M %S`, `%a` the day's and `%b` the month's name.
    func text(_ format: String, hours: Int) -> String {
        let civil = civil(offset: hours * 3600)
        var text = ""
        var isField = false
        for letter in format {
            guard isField else {
                isField = letter == "%"
                if !isField { text.append(letter) }
                continue
            }
            isField = false
            switch letter {
            case "Y": text += padded(civil.year, 4)
            case "m": text += padded(civil.month)
            case "d": text += padded(civil.day)
            case "H": text += padded(civil.hour)
            case "M": text += padded(civil.minute)
            case "S": text += padded(civil.second)
            case "a": text += Self.dayNames[((seconds + hours * 3600) / 86_400 + 4) % 7]
            case "b": text += Self.monthNames[civil.month - 1]
            default: preconditionFailure("unknown field %\(letter) of a date")
            }
        }
        return text
    }

    private static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// A number with leading zeros.
func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
