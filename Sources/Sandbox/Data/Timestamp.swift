/// A moment in seconds since 1970, and the ways the upstreams write it.
///
/// The sandbox has its own calendar, so that a mistake in the daemon's can't cancel itself out in a test.
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

    /// `2024-03-09T11:51:51.000+09:00`.
    var kakao: String {
        isoText(offset: Self.koreaOffset) + ".000+09:00"
    }

    /// `2024-03-09T02:51:51Z`.
    var zulu: String {
        isoText(offset: 0) + "Z"
    }

    /// `2024-03-09T02:51:51.000Z`.
    var zuluMilliseconds: String {
        isoText(offset: 0) + ".000Z"
    }

    /// `20240309`, in Korea.
    var compactDay: String {
        let civil = civil(offset: Self.koreaOffset)
        return padded(civil.year, 4) + padded(civil.month) + padded(civil.day)
    }

    /// `2024-03-09`.
    var isoDay: String {
        let civil = civil()
        return padded(civil.year, 4) + "-" + padded(civil.month) + "-" + padded(civil.day)
    }

    /// `Mon, 26 Sep 2016 11:01:35 +0900`.
    var mail: String {
        let civil = civil(offset: Self.koreaOffset)
        let day = ((seconds + Self.koreaOffset) / 86_400 + 4) % 7
        return "\(Self.dayNames[day]), \(padded(civil.day)) \(Self.monthNames[civil.month - 1]) \(civil.year) "
            + "\(padded(civil.hour)):\(padded(civil.minute)):\(padded(civil.second)) +0900"
    }

    /// The same day's midnight in Korea.
    var koreanMidnight: Timestamp {
        let local = seconds + Self.koreaOffset
        return Timestamp(seconds: seconds - ((local % 86_400) + 86_400) % 86_400)
    }

    private func isoText(offset: Int) -> String {
        let civil = civil(offset: offset)
        return padded(civil.year, 4) + "-" + padded(civil.month) + "-" + padded(civil.day) + "T" + padded(civil.hour)
            + ":" + padded(civil.minute) + ":" + padded(civil.second)
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
