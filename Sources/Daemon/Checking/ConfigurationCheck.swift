import Catalogue
import Engine
import SearchModel

/// `searchd --check`: everything that is wrong with configuration and sources, or how many sources are ready.
enum ConfigurationCheck {
    static func run(_ options: CommandLineOptions) -> Int32 {
        do throws(StartError) {
            let surroundings = ProcessEnvironment.current()
            let loaded = try ConfigurationLoader(surroundings: surroundings, options: options).inspect()
            CheckOutput.print(lines(loaded, surroundings).map(SafeText.line))
            return loaded.problems.isEmpty ? 0 : StartError.Code.configuration.rawValue
        } catch {
            CheckOutput.print([SafeText.line(error.message), error.hint])
            return error.code.rawValue
        }
    }

    /// The problems, each on a line that editors can follow; without any, what there is, in a line or two.
    static func lines(_ loaded: ConfigurationLoader.Loaded, _ surroundings: ProcessEnvironment) -> [String] {
        guard loaded.problems.isEmpty else { return loaded.problems.map(\.description) }
        let unavailable = loaded.directory.all.filter { $0.unavailable != nil }.map(\.source.name.text)
        let ready = loaded.directory.all.count - unavailable.count
        let file = loaded.file.map { "configuration \($0)" } ?? "no configuration, so the defaults apply"
        var lines = ["\(ready) \(ready == 1 ? "source" : "sources") ready; \(file)"]
        if !unavailable.isEmpty { lines.append("\(unavailable.count) off: \(unavailable.joined(separator: ", "))") }
        if loaded.file == ProcessEnvironment.systemConfiguration, !surroundings.seesSystemKeys {
            lines.append("without the keys of the system's service, which only root can read: “sudo searchctl doctor”")
        }
        return lines
    }
}
