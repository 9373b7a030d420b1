import Catalogue
import Engine
import SearchModel

extension Log {
    /// Writes what the configuration and the command line say, and masks these secrets.
    func follow(_ configuration: Configuration, _ options: CommandLineOptions, secrets: [Secret]) {
        change(
            level: options.logLevel ?? configuration.logLevel ?? .info,
            slowRequest: configuration.slowRequest,
            secrets: secrets
        )
    }
}

extension SourceDirectory {
    /// Every secret of every account.
    var secrets: [Secret] {
        all.flatMap { $0.access.secrets.values }
    }
}
