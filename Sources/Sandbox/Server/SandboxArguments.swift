/// The command line of `searchd-sandbox`.
struct SandboxArguments: Equatable, Sendable {
    struct Problem: Error, Equatable, Sendable {
        let message: String
    }

    var port: UInt16 = 0
    var printsPort = false
    var wantsHelp = false
    var options = SandboxOptions()

    init(_ arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--print-port": printsPort = true
            case "--unlimited": options.limits = .none
            case "--port": port = try Self.number(argument, rest.popFirst())
            case "--seed": options.seed = try Self.number(argument, rest.popFirst())
            default: throw Problem(message: "unknown argument \(argument); --help lists what there is")
            }
        }
    }

    private static func number<Number: FixedWidthInteger>(_ name: String, _ text: String?) throws(Problem) -> Number {
        guard let text, let number = Number(text) else {
            throw Problem(message: "\(name) takes a number from 0 to \(Number.max)")
        }
        return number
    }

    static let help = """
        usage: searchd-sandbox [--port N] [--print-port] [--unlimited] [--seed N]
        """
}
