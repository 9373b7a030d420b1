import Catalogue
import SearchModel

/// The quotas of all accounts and sources: who may use a unit, and when the ledger must be asked for more; pure.
///
/// Invariant: a unit is used only after the ledger has granted it, and while the grant is good.
struct QuotaBook: Sendable {
    /// A call's units; given back when it is not sent.
    struct Charge: Equatable, Sendable {
        fileprivate struct Unit: Equatable {
            let key: QuotaKey
            let grantNumber: Int
            let grant: QuotaGrant

            static func == (left: Unit, right: Unit) -> Bool {
                left.key == right.key && left.grantNumber == right.grantNumber
            }
        }

        fileprivate var units: [Unit] = []
    }

    /// Ask the ledger for so many.
    struct Want: Equatable, Sendable {
        let key: QuotaKey
        let quota: Quota
        let count: Int
    }

    /// Units that the ledger gets back.
    struct Return: Sendable {
        let key: QuotaKey
        let grant: QuotaGrant
        let count: Int
    }

    enum Taken: Equatable, Sendable {
        case charged(Charge)
        /// Not before the ledger has been asked for these; none when it is being asked already.
        case wants([Want])
        /// Not now.
        case refused(Refusal)
    }

    struct Refusal: Equatable, Sendable {
        let quota: String
        /// When it begins anew, by the wall clock, in the zone of the source's calendar.
        let resetsAt: PublishedDate
        /// In seconds; how long there is nothing to have.
        let wait: Int64
        let reason: Reason
    }

    enum Reason: Equatable, Sendable {
        /// All is used.
        case used
        /// What is left is kept for interactive work.
        case reserved
        /// The quota would not last; background work goes slower, so that it does.
        case paced
    }

    /// How many units are leased at once, and how many at most are lost by a crash.
    static let leaseMax = 16
    /// A lease of a small quota is small, too: one part in so many.
    static let leasePart = 64
    /// Background work leaves one part in so many.
    static let reservePart = 10

    private var accounts: [QuotaKey: QuotaAccount] = [:]
    /// What has to go back to the ledger.
    private var returns: [Return] = []

    /// Keeps a quota from now on, or changes one that is kept; what was used stays used.
    mutating func keep(_ quota: Quota, as key: QuotaKey) {
        guard accounts[key]?.quota != quota else { return }
        if let rest = accounts[key]?.handBack() {
            returns.append(Return(key: key, grant: rest.grant, count: rest.count))
        }
        // The ledger knows what was used.
        accounts[key] = QuotaAccount(quota)
    }

    // MARK: Using

    /// Takes a unit of each of these quotas, or of none.
    mutating func take(_ keys: [QuotaKey], isBackground: Bool, at time: QuotaTime) -> Taken {
        var wants: [Want] = []
        var mustWait = false
        for key in keys {
            guard let account = accounts[key] else { continue }
            if let refusal = refusal(account, isBackground: isBackground, at: time) { return .refused(refusal) }
            if account.hasUnit(at: time) { continue }
            mustWait = true
            if !account.isAsking { wants.append(want(key, account.quota)) }
        }
        if mustWait {
            for want in wants { accounts[want.key]?.asks() }
            return .wants(wants)
        }
        var charge = Charge()
        for key in keys {
            guard let account = accounts[key], let grant = account.grant else { continue }
            charge.units.append(Charge.Unit(key: key, grantNumber: account.grantNumber, grant: grant))
            accounts[key]?.take(isBackground: isBackground, reserve: Self.reserve(account.quota), at: time)
        }
        return .charged(charge)
    }

    /// The call was not sent.
    mutating func giveBack(_ charge: Charge, at time: QuotaTime) {
        for unit in charge.units {
            let isTaken = accounts[unit.key]?.takeBack(unitOf: unit.grant, at: time) ?? false
            if !isTaken { returns.append(Return(key: unit.key, grant: unit.grant, count: 1)) }
        }
    }

    // MARK: The ledger

    /// The ledger has answered.
    mutating func received(_ grant: QuotaGrant, for want: Want, at time: QuotaTime) {
        guard accounts[want.key]?.quota == want.quota else {
            // The quota was changed meanwhile.
            return returns.append(Return(key: want.key, grant: grant, count: grant.count))
        }
        if let rest = accounts[want.key]?.received(grant, askedFor: want.count, at: time) {
            returns.append(Return(key: want.key, grant: rest.grant, count: rest.count))
        }
    }

    /// The ledger could not be written.
    mutating func failed(_ want: Want) {
        accounts[want.key]?.askingFailed()
    }

    /// What to ask the ledger, for its totals, of quotas of which nothing is known.
    mutating func unread(at time: QuotaTime) -> [Want] {
        let wants = accounts.compactMap { key, account in
            account.isKnown(at: time) || account.isAsking ? nil : Want(key: key, quota: account.quota, count: 0)
        }
        for want in wants { accounts[want.key]?.asks() }
        return wants
    }

    /// What has to go back to the ledger by now.
    mutating func takeReturns() -> [Return] {
        defer { returns = [] }
        return returns
    }

    /// Puts everything in hand among what goes back; at the end.
    mutating func handBackAll() {
        for key in accounts.keys {
            if let rest = accounts[key]?.handBack() {
                returns.append(Return(key: key, grant: rest.grant, count: rest.count))
            }
        }
    }

    // MARK: Telling

    /// For how many seconds the youngest period of these quotas has lasted; of those of a day or longer.
    func ageOfPeriod(_ keys: [QuotaKey], at time: QuotaTime) -> Int64? {
        let quotas = keys.compactMap { accounts[$0]?.quota }.filter { [.day, .month].contains($0.period) }
        return quotas.map { time.wall - $0.period(at: time.wall).lowerBound }.min()
    }

    /// How a quota stands; nil for one that is not kept.
    func figures(_ key: QuotaKey, at time: QuotaTime) -> QuotaFigures? {
        guard let account = accounts[key] else { return nil }
        let isEmpty = account.emptiness(at: time) != nil
        return QuotaFigures(
            name: account.quota.name,
            limit: account.quota.limit,
            used: account.used(at: time),
            left: isEmpty ? 0 : account.left(at: time),
            resetsAt: account.quota.resetsAt(after: time.wall),
            forecast: account.forecast(at: time).map { account.quota.date($0) }
        )
    }

    // MARK: Parts

    private static func reserve(_ quota: Quota) -> Int {
        (quota.limit + reservePart - 1) / reservePart
    }

    private func want(_ key: QuotaKey, _ quota: Quota) -> Want {
        Want(key: key, quota: quota, count: min(max(quota.limit / Self.leasePart, 1), Self.leaseMax))
    }

    private func refusal(_ account: QuotaAccount, isBackground: Bool, at time: QuotaTime) -> Refusal? {
        let quota = account.quota
        func refusal(_ reason: Reason, wait: Int64, resetsAt: Int64) -> Refusal {
            Refusal(quota: quota.name, resetsAt: quota.date(resetsAt), wait: wait, reason: reason)
        }
        if let empty = account.emptiness(at: time), account.inHand == 0 {
            return refusal(.used, wait: empty.wait, resetsAt: empty.resetsAt)
        }
        guard isBackground, account.isKnown(at: time) else { return nil }
        let end = quota.period(at: time.wall).upperBound
        if account.left(at: time) <= Self.reserve(quota) {
            return refusal(.reserved, wait: end - time.wall, resetsAt: end)
        }
        guard time.steady < account.backgroundAt else { return nil }
        return refusal(.paced, wait: account.backgroundAt - time.steady, resetsAt: end)
    }
}

extension Quota {
    /// An instant in the zone of the source's calendar.
    fileprivate func date(_ epochSeconds: Int64) -> PublishedDate {
        PublishedDate(
            epochSeconds: epochSeconds,
            offsetMinutes: zone.offsetMinutes(at: epochSeconds),
            precision: .second
        )
    }
}
