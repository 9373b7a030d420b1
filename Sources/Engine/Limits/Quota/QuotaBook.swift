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
            let number: Int
            let grant: QuotaGrant

            static func == (left: Unit, right: Unit) -> Bool {
                left.key == right.key && left.number == right.number
            }
        }

        fileprivate var units: [Unit] = []
    }

    enum Taken: Equatable, Sendable {
        case charged(Charge)
        /// Not before the ledger has been asked for these; none when it is being asked already, or when a call that has
        /// its units must be sent before.
        case wants([QuotaWant])
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

    /// How many units of a quota at most are leased and not sent: so many are lost when the machine stops.
    static let leaseMax = 16
    /// When one part in so many of a lease is left, the next one is leased ahead.
    static let leaseAheadPart = 4
    /// A lease of a small quota is small, too: one part in so many.
    static let leasePart = 64

    private var accounts: [QuotaKey: QuotaAccount] = [:]
    /// What has to go back to the ledger.
    private var returns: [QuotaReturn] = []
    /// Those that sources say are used up, which the ledger does not know yet.
    private var owing: Set<QuotaKey> = []
    private var nextNumber = 0

    /// Keeps a quota from now on, or changes one that is kept; what was used stays used.
    mutating func keep(_ quota: Quota, as key: QuotaKey) {
        guard accounts[key]?.quota != quota else { return }
        giveBack(accounts[key]?.handBack() ?? [], of: key)
        // The ledger knows what was used.
        accounts[key] = QuotaAccount(quota)
    }

    // MARK: Using

    /// Takes a unit of each of these quotas, or of none.
    mutating func take(_ keys: [QuotaKey], isBackground: Bool, at time: QuotaTime) -> Taken {
        var wants: [QuotaWant] = []
        var mustWait = false
        for key in keys {
            guard let account = accounts[key] else { continue }
            let empty = account.emptiness(at: time)
            if let refusal = refusal(account, isBackground: isBackground, empty: empty, at: time) {
                return .refused(refusal)
            }
            if account.inHand(at: time) > 0 { continue }
            mustWait = true
            let count = min(Self.leaseSize(account.quota), Self.leaseMax - account.unsent)
            if !account.isAsking, count > 0 { wants.append(QuotaWant(key: key, quota: account.quota, count: count)) }
        }
        if mustWait {
            for want in wants { accounts[want.key]?.asks() }
            return .wants(wants)
        }
        var charge = Charge()
        for key in keys where accounts[key] != nil {
            guard let unit = accounts[key]?.take(isBackground: isBackground, at: time) else {
                // Its units are no longer available: others are leased.
                giveBack(charge, at: time)
                return take(keys, isBackground: isBackground, at: time)
            }
            charge.units.append(Charge.Unit(key: key, number: unit.number, grant: unit.grant))
        }
        checkInvariants()
        return .charged(charge)
    }

    /// Why a unit of some of these quotas can't be had now; nil when it can, as far as is known.
    func refusal(_ keys: [QuotaKey], isBackground: Bool, at time: QuotaTime) -> Refusal? {
        keys.lazy.compactMap { accounts[$0] }.compactMap { account in
            refusal(account, isBackground: isBackground, empty: account.expectedEmptiness(at: time), at: time)
        }.first
    }

    /// The call goes out.
    mutating func sent(_ charge: Charge) {
        for unit in charge.units { accounts[unit.key]?.sent() }
    }

    /// The call was not sent.
    mutating func giveBack(_ charge: Charge, at time: QuotaTime) {
        for unit in charge.units {
            let isTaken = accounts[unit.key]?.takeBack(unit.number, of: unit.grant, at: time) ?? false
            if !isTaken { returns.append(QuotaReturn(key: unit.key, grant: unit.grant, count: 1)) }
        }
        checkInvariants()
    }

    // MARK: The ledger

    /// The ledger has answered.
    mutating func received(_ grant: QuotaGrant, for want: QuotaWant, at time: QuotaTime) {
        guard accounts[want.key]?.quota == want.quota else {
            // The quota was changed meanwhile.
            if grant.count > 0 { returns.append(QuotaReturn(key: want.key, grant: grant, count: grant.count)) }
            return
        }
        nextNumber += 1
        let rest = accounts[want.key]?.received(grant, askedFor: want.count, number: nextNumber, at: time)
        giveBack(rest ?? [], of: want.key)
        checkInvariants()
    }

    /// The ledger could not be written; whether calls that need the quota can't go on.
    @discardableResult
    mutating func failed(_ want: QuotaWant, at time: QuotaTime) -> Bool {
        accounts[want.key]?.askingFailed()
        return want.count > 0 && accounts[want.key].map { $0.inHand(at: time) == 0 } ?? false
    }

    /// What to ask the ledger about quotas of which nothing is known: only how much is used.
    ///
    /// Units are leased at first use, so that a process that asks no source costs none, however it ends.
    mutating func unread(at time: QuotaTime) -> [QuotaWant] {
        let wants = accounts.keys.compactMap { key -> QuotaWant? in
            guard let account = accounts[key], !account.isKnown(at: time), !account.isAsking else { return nil }
            return QuotaWant(key: key, quota: account.quota, count: 0)
        }
        for want in wants { accounts[want.key]?.asks() }
        return wants
    }

    /// What to ask the ledger while there still is something in hand, so that the next calls need not wait for it.
    mutating func ahead(_ keys: [QuotaKey], at time: QuotaTime) -> [QuotaWant] {
        let wants = keys.compactMap { key -> QuotaWant? in
            guard let account = accounts[key], !account.isAsking, account.quota.period != .minute,
                !account.isUsedUp(at: time)
            else { return nil }
            let (size, inHand) = (Self.leaseSize(account.quota), account.inHand(at: time))
            let count = min(size, Self.leaseMax - account.unsent) - inHand
            guard inHand <= size / Self.leaseAheadPart, count > 0 else { return nil }
            return QuotaWant(key: key, quota: account.quota, count: count)
        }
        for want in wants { accounts[want.key]?.asks() }
        return wants
    }

    /// A source reports these as used up for at least so many seconds; those that reset within that time are.
    ///
    /// The ledger learns it, so that the next process doesn't ask before the time the source named.
    mutating func saidUsedUp(_ keys: [QuotaKey], for seconds: Int64, at time: QuotaTime) {
        for key in keys {
            guard let quota = accounts[key]?.quota, quota.period != .minute,
                quota.period(at: time.wall).upperBound - time.wall <= seconds
            else { continue }
            accounts[key]?.saidUsedUp(at: time)
            owing.insert(key)
        }
    }

    /// What to ask the ledger so that it knows what the sources of an account said; what it grants is not used.
    mutating func writeOffs(of account: String) -> [QuotaWant] {
        guard !owing.isEmpty else { return [] }
        let keys = owing.filter { $0.account == account && accounts[$0]?.isAsking != true }
        owing.subtract(keys)
        return keys.compactMap { key in
            accounts[key]?.asks()
            return accounts[key].map { QuotaWant(key: key, quota: $0.quota, count: QuotaWant.everything) }
        }
    }

    /// What has to go back to the ledger by now.
    mutating func takeReturns() -> [QuotaReturn] {
        defer { returns = [] }
        return returns
    }

    /// Puts everything in hand among what goes back; at the end.
    mutating func handBackAll() {
        for key in accounts.keys { giveBack(accounts[key]?.handBack() ?? [], of: key) }
    }

    private mutating func giveBack(_ hands: [QuotaAccount.Hand], of key: QuotaKey) {
        returns += hands.map { QuotaReturn(key: key, grant: $0.grant, count: $0.count) }
    }

    // MARK: Reporting

    /// For how many seconds the youngest period of these quotas has lasted; of those of a day or longer.
    func ageOfPeriod(_ keys: [QuotaKey], at time: QuotaTime) -> Int64? {
        let quotas = keys.compactMap { accounts[$0]?.quota }.filter { [.day, .month].contains($0.period) }
        return quotas.map { time.wall - $0.period(at: time.wall).lowerBound }.min()
    }

    /// How long the latest of these quotas' days still lasts; nil when none is of a day.
    func restOfDay(_ keys: [QuotaKey], at time: QuotaTime) -> Duration? {
        let days = keys.compactMap { accounts[$0]?.quota }.filter { $0.period == .day }
        return days.map { .seconds($0.period(at: time.wall).upperBound - time.wall) }.max()
    }

    /// Whether of one of these quotas a tenth or less is left, as far as is known here.
    func isNearlyUsed(_ keys: [QuotaKey], at time: QuotaTime) -> Bool {
        keys.compactMap { accounts[$0] }.contains { $0.left(at: time) <= $0.reserve }
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

    private func checkInvariants() {
        assert(accounts.values.allSatisfy(\.isSound))
        assert(owing.allSatisfy { accounts[$0] != nil } && returns.allSatisfy { $0.count > 0 })
    }

    // MARK: Parts

    private static func leaseSize(_ quota: Quota) -> Int {
        min(max(quota.limit / leasePart, 1), leaseMax)
    }

    private func refusal(
        _ account: QuotaAccount,
        isBackground: Bool,
        empty: QuotaAccount.Emptiness?,
        at time: QuotaTime
    ) -> Refusal? {
        let quota = account.quota
        func refusal(_ reason: Reason, wait: Int64, resetsAt: Int64) -> Refusal {
            Refusal(quota: quota.name, resetsAt: quota.date(resetsAt), wait: wait, reason: reason)
        }
        if let empty {
            return refusal(.used, wait: empty.wait, resetsAt: empty.resetsAt)
        }
        guard isBackground, account.isKnown(at: time) else { return nil }
        let end = quota.period(at: time.wall).upperBound
        if account.left(at: time) <= account.reserve {
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
