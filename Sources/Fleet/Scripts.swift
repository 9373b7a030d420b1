/// The Lua programs that the shared server runs atomically.
///
/// Each is a file in `Lua`.
enum Script: CaseIterable {
    case claim, charge, report, correct, set, note, find, publish, renew, beat

    var text: String {
        switch self {
        case .claim: Self.text(PackageResources.claim_lua)
        case .charge: Self.text(PackageResources.epoch_lua + PackageResources.charge_lua)
        case .report: Self.text(PackageResources.epoch_lua + PackageResources.report_lua)
        case .correct: Self.text(PackageResources.correct_lua)
        case .set: Self.text(PackageResources.set_lua)
        case .note: Self.text(PackageResources.note_lua)
        case .find: Self.text(PackageResources.find_lua)
        case .publish: Self.text(PackageResources.publish_lua)
        case .renew: Self.text(PackageResources.renew_lua)
        case .beat: Self.text(PackageResources.beat_lua)
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

struct ScriptCall: Sendable {
    let script: Script
    let keys: [String]
    var arguments: [[UInt8]]

    init(_ script: Script, keys: [String], _ arguments: [String] = []) {
        (self.script, self.keys) = (script, keys)
        self.arguments = arguments.map { Array($0.utf8) }
    }

    func command(_ digest: [UInt8]?) -> RedisCommand {
        let start: [[UInt8]] = [Array((digest == nil ? "EVAL" : "EVALSHA").utf8), digest ?? Array(script.text.utf8)]
        return RedisCommand(words: start + [Array("\(keys.count)".utf8)] + keys.map { Array($0.utf8) } + arguments)
    }
}
