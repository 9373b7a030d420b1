import Catalogue
import Engine
import SearchModel

/// `searchd --check`: the sources there are, and everything that is wrong with configuration and sources.
enum ConfigurationCheck {
    static func run(_ options: CommandLineOptions) -> Int32 {
        do throws(StartError) {
            let loaded = try ConfigurationLoader(surroundings: .current(), options: options).inspect()
            for line in lines(loaded) { print(SafeText.line(line)) }
            return loaded.problems.isEmpty ? 0 : StartError.Code.configuration.rawValue
        } catch {
            print(SafeText.line(error.message))
            print(error.hint)
            return error.code.rawValue
        }
    }

    /// What there is to tell: the problems come last, where they are seen, each on a line that editors can follow.
    static func lines(_ loaded: ConfigurationLoader.Loaded) -> [String] {
        var lines = ["configuration: \(loaded.file ?? "none, the defaults hold")"]
        for source in loaded.directory.all {
            lines.append("source \(source.source.name): \(source.unavailable?.message ?? "ready")")
        }
        for refused in loaded.directory.refused { lines.append("source \(refused.identity.name): its file is wrong") }
        return lines + loaded.problems.map(\.description)
    }
}
