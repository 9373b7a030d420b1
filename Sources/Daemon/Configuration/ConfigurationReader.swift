import Catalogue
import JSON
import SearchModel

/// Reads a configuration file and finds all problems, not only the first.
struct ConfigurationReader {
    static let bytesMax = 1 << 20

    private var positions: [String: (line: Int, column: Int)] = [:]
    private var problems: [CatalogueError] = []

    static func read(_ bytes: [UInt8], file: String) -> (configuration: Configuration, problems: [CatalogueError]) {
        var reader = ConfigurationReader()
        var configuration = Configuration()
        do throws(JSON5Error) {
            let node = try JSON5Reader.read(bytes)
            configuration.written = node.plain
            reader.read(Declared(node, Mistakes(in: file)), into: &configuration, ConfigurationKeys.all)
        } catch {
            reader.problems = [
                CatalogueError(file: file, line: error.line, column: error.column, key: "", message: error.message)
            ]
        }
        configuration.file = file
        configuration.positions = reader.positions
        return (configuration, reader.problems.map(\.masked))
    }

    private init() {}

    mutating func take<Value>(
        _ declared: Declared,
        _ parse: (Declared) throws(CatalogueError) -> Value
    ) -> Value? {
        positions[declared.key] = (declared.node.line, declared.node.column)
        do throws(CatalogueError) {
            return try parse(declared)
        } catch {
            problems.append(error)
            return nil
        }
    }

    mutating func members(_ declared: Declared) -> [(name: String, value: Declared)] {
        take(declared) { value throws(CatalogueError) in try value.members() } ?? []
    }

    mutating func list<Value>(
        _ declared: Declared,
        countMax: Int = .max,
        _ parse: (Declared) throws(CatalogueError) -> Value
    ) -> [Value] {
        let elements = take(declared) { value throws(CatalogueError) in try value.list() } ?? []
        checkCount(elements.count, of: declared, countMax)
        return elements.compactMap { take($0, parse) }
    }

    private mutating func checkCount(_ count: Int, of declared: Declared, _ countMax: Int) {
        if count > countMax { problems.append(declared.error("has more than \(countMax) elements")) }
    }

    mutating func read<Root>(_ object: Declared, into root: inout Root, _ keys: [ConfigurationKey<Root>]) {
        for (name, value) in members(object) {
            if let key = keys.first(where: { $0.name == name }) {
                key.read(value, &root, &self)
            } else {
                let hint = NearestName.hint(for: name, among: keys.map(\.name))
                problems.append(value.error("is not known here", hint: hint))
            }
        }
    }

    mutating func profiles(_ value: Declared) -> [Profile] {
        let members = members(value)
        checkCount(members.count, of: value, Profile.countMax)
        return members.compactMap { name, value in
            guard let name = take(value, { value throws(CatalogueError) in try Profile.checked(name, value) }),
                let (about, sources) = take(value, Profile.parts)
            else { return nil }
            let entries = sources.compactMap { take($0, ConfigurationValue.entry) }
            return Profile(name: name, about: about, entries: entries)
        }
    }

    mutating func account(_ value: Declared) -> Configuration.Account {
        var account = Configuration.Account()
        for (name, member) in members(value) {
            if name == "baseURL" {
                account.baseURL = take(member, ConfigurationValue.baseURL)
            } else if name == "quotas" {
                for (name, quota) in members(member) {
                    var change = QuotaChange()
                    read(quota, into: &change, ConfigurationKeys.quota)
                    account.quotas[name] = change
                }
            } else if member.node.members != nil {
                account.secrets[name] = take(member, ConfigurationValue.secret)
            } else {
                account.settings[name] = take(member, ConfigurationValue.setting)
            }
        }
        return account
    }
}
