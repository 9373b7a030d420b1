import Catalogue
import Engine
import SearchModel

/// `searchd --check`: everything that is wrong with configuration and sources, on standard output.
enum ConfigurationCheck {
    static func run(_ options: CommandLineOptions) -> Int32 {
        do throws(StartError) {
            let loaded = try ConfigurationLoader(surroundings: .current(), options: options).load()
            print("configuration: \(loaded.file ?? "none, the defaults hold")")
            for source in loaded.directory.all {
                print("source \(source.source.name): \(source.unavailable?.message ?? "ready")")
            }
            for problem in loaded.problems { print("wrong: \(problem)") }
            return loaded.problems.isEmpty ? 0 : StartError.Code.configuration.rawValue
        } catch {
            print("wrong: \(error.message)")
            print(error.hint)
            return error.code.rawValue
        }
    }
}
