/// A moment in seconds since 1970, and how it is written.
///
/// The mock server has its own calendar, so that a mistake in the daemon's can't cancel itself out in a test.
struct Timestamp: Equatable, Sendable {
    var seconds: Int

    /// The newest document of the data set is from here: 2026-11-20T12:00:00Z.
    static let newest = Timestamp(seconds: 1_795_176_000)

    static let koreaOffset = 9 * 3600

    /// Year, month, day, hour, minute, second at an offset from UTC; right from 1901 to 2099.
    func civil(offset: Int = 0) -> (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        let local = seconds + offset
        let secondOfDay = ((local % 86_400) + 86_400) % 86_400
        // From 1901 to 2099 every four years have 1,461 days; 2000 begins a block of four with its leap year.
        let sinceBlocks = (local - secondOfDay) / 86_400 - 10_957
        var day = ((sinceBlocks % 1_461) + 1_461) % 1_461
        var year = 2000 + (sinceBlocks - day) / 1_461 * 4
        while day >= Self.days(in: year) {
            day -= Self.days(in: year)
            year += 1
        }
        var month = 1
        while day >= Self.days(in: month, of: year) {
            day -= Self.days(in: month, of: year)
            month += 1
        }
        return (year, month, day + 1, secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
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

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(in year: Int) -> Int {
        isLeap(year) ? 366 : 365
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// A number with leading zeros.
func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
