/// What to do about an account's keys: they are stored by `searchctl`, or named in the configuration.
package enum SecretHint {
    /// For keys that are missing.
    package static func set(_ secrets: [String], of account: String) -> String {
        let names = secrets.map { "accounts.\(account).\($0)" }.joined(separator: " and ")
        return "Say “searchctl keys set \(account)”, or set \(names) in the configuration."
    }

    /// For an account that lacks something which is not known here.
    static func complete(_ account: String) -> String {
        "Say “searchctl keys set \(account)”, or complete accounts.\(account) in the configuration."
    }

    /// For keys that the source refuses.
    static func replace(_ account: String) -> String {
        "Set them anew by “searchctl keys set \(account)”, or see accounts.\(account) in the configuration."
    }
}
