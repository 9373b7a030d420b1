import Catalogue
import JSON
import SearchModel

/// Keys that were pasted into the wrong place of a configuration, which no message may repeat: names that are neither
/// known nor like a known one, and
/// values that are not of their kind.
struct StrayKeys {
    private let redactor: Redactor

    init(_ configuration: Configuration, _ catalogue: Catalogue) {
        let sources = catalogue.sources.values
        var known = Set(ConfigurationReader.paths.flatMap { $0.split(separator: ".").map(String.init) })
        known.formUnion(["credential", "file", "env", "value", "about", "sources"])
        known.formUnion(
            sources.flatMap { [$0.account, $0.name.text] + $0.secrets.map(\.name) + $0.settings.map(\.name) }
        )
        known.formUnion(catalogue.retired.keys.map(\.text))
        redactor = Redactor(Self.texts(in: configuration.written, known).map(Secret.init))
    }

    private static func texts(in value: JSONValue, _ known: Set<String>) -> [String] {
        if let array = value.array { return array.flatMap { texts(in: $0, known) } }
        var found: [String] = []
        for member in value.members ?? [] {
            let isName =
                member.name.utf8.count < Secret.bytesMin || member.name.hasPrefix("@") || known.contains(member.name)
            if !isName, NearestName.of(member.name, among: known) == nil { found.append(member.name) }
            if let text = member.value.string, isStray(text, in: member.name) { found.append(text) }
            found += texts(in: member.value, known)
        }
        return found
    }

    /// Whether a text cannot be what a member of its name holds, and messages may repeat it.
    private static func isStray(_ text: String, in name: String) -> Bool {
        guard text.utf8.count >= Secret.bytesMin else { return false }
        switch name {
        case "baseURL": return !text.contains("://")
        case "file": return !text.contains("/")
        case "env":
            return !text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "_") || $0.raised == $0 && $0.isLetter }
        default: return false
        }
    }

    /// The problem without such keys.
    func masked(_ problem: CatalogueError) -> CatalogueError {
        CatalogueError(
            file: problem.file,
            line: problem.line,
            column: problem.column,
            key: redactor.redacted(problem.key),
            message: redactor.redacted(problem.message),
            hint: problem.hint.map(redactor.redacted)
        )
    }
}
