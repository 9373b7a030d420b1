/// The words and options of a command line, after the command's name.
package struct Arguments: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        case present
        case text(String)
        case number(Int)
        case duration(Duration)
    }

    package private(set) var words: [String] = []
    private var values: [String: [Value]] = [:]

    package init(words: [String] = []) {
        self.words = words
    }

    mutating func append(word: String) {
        words.append(word)
    }

    mutating func append(_ value: Value, of option: CommandOption) {
        values[option.name, default: []].append(value)
    }

    package func has(_ option: CommandOption) -> Bool {
        values[option.name] != nil
    }

    package func text(_ option: CommandOption) -> String? {
        texts(option).last
    }

    package func texts(_ option: CommandOption) -> [String] {
        (values[option.name] ?? []).compactMap { value in
            if case .text(let text) = value { text } else { nil }
        }
    }

    func tags(_ option: CommandOption) -> [String] { texts(option).flatMap(TagList.tags) }

    package func names(_ option: CommandOption) -> [String] {
        texts(option).flatMap { $0.split(separator: ",").map(String.init) }
    }

    /// In seconds.
    var maxAge: Int? { has(.fresh) ? 0 : duration(.maxAge).map { Int($0.components.seconds) } }

    func refuseSeveral(of options: CommandOption...) throws(ClientError) {
        let given = options.filter(has)
        guard given.count > 1 else { return }
        throw ClientError(.usage, "--\(given[0].name) and --\(given[1].name) can't be combined")
    }

    package func allow(
        _ allowed: [CommandOption],
        of options: [CommandOption],
        in action: String
    ) throws(ClientError) {
        for option in options where has(option) && !allowed.contains(where: { $0.name == option.name }) {
            throw ClientError(.usage, "“\(action)” takes no --\(option.name)")
        }
    }

    package func number(_ option: CommandOption) -> Int? {
        guard case .number(let number) = values[option.name]?.last else { return nil }
        return number
    }

    package func duration(_ option: CommandOption) -> Duration? {
        guard case .duration(let duration) = values[option.name]?.last else { return nil }
        return duration
    }

    func replacing(words: [String]) -> Arguments {
        var other = self
        other.words = words
        return other
    }

    func without(_ options: [CommandOption]) -> Arguments {
        var rest = self
        for option in options { rest.values[option.name] = nil }
        return rest
    }

    func overridden(by others: Arguments) -> Arguments {
        var merged = self
        merged.values.merge(others.values) { _, new in new }
        return merged
    }

    func words(of options: [CommandOption]) -> [String] {
        let written = options.flatMap { option in
            (values[option.name] ?? []).map { value in
                switch value {
                case .present: "--\(option.name)"
                case .text(let text): "--\(option.name)=\(text)"
                case .number(let number): "--\(option.name)=\(number)"
                case .duration(let duration): "--\(option.name)=\(Int(duration / .milliseconds(1)))ms"
                }
            }
        }
        return written + ["--"] + words
    }
}
