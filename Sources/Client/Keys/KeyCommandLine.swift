import SearchModel

/// The commands that hints about keys name; pure.
struct KeyCommandLine: Equatable {
    /// Whether the daemon that answers reads the system's keys, and not this user's.
    let isSystem: Bool

    /// `sudo searchctl keys set --system naver hub`, for the verb `set` and the words `naver`, `hub`; empty ones are
    /// left out.
    func text(_ verb: String, _ words: String...) -> String {
        let parts = isSystem ? ["sudo", "searchctl", "keys", verb, "--system"] : ["searchctl", "keys", verb]
        return (parts + words.filter { !$0.isEmpty }).joined(separator: " ")
    }

    /// Refuses to change keys that the daemon does not read, or that this user can't change.
    ///
    /// - Parameters:
    ///   - daemonUser: The daemon's; nil when it does not tell.
    ///   - userID: Who asks.
    ///   - command: What root would have to run.
    /// - Throws: `forbidden`, with that command.
    func requireAccess(daemonUser: UInt32?, userID: UInt32, orRun command: String) throws(ClientError) {
        if isSystem, userID != 0 {
            throw ClientError(.init(.forbidden), "only root can change the system's keys", hint: "Run “\(command)”.")
        }
        if !isSystem, let daemonUser, daemonUser != userID {
            throw ClientError(
                .init(.forbidden),
                "the searchd that answers runs as user \(UserName.text(daemonUser)) and does not read your keys",
                hint: "Run “\(command)”, or start a searchd of your own, which reads yours: “systemctl --user start "
                    + "\(ServiceManager.socketUnit)”."
            )
        }
    }
}
