/// Who wrote a source file, and so what it may reach.
package enum Trust: Equatable, Sendable {
    /// Part of the program.
    case builtIn
    /// Somebody's file: https only, to public hosts only, except those the configuration names.
    case user(allowedHosts: Set<String>)

    package static let user = Trust.user(allowedHosts: [])
}
