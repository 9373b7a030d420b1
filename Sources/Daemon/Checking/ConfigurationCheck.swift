import Catalogue
import Engine
import SearchModel

/// Implements `searchd --check`: prints every problem of the configuration and the source files, or a summary.
enum ConfigurationCheck {
    static func run(_ options: CommandLineOptions) -> Int32 {
        let surroundings = ProcessEnvironment.current()
        let loaded = ConfigurationLoader(surroundings: surroundings, options: options).inspect()
        for line in lines(loaded, surroundings) { print(SafeText.line(line)) }
        return loaded.problems.isEmpty ? 0 : StartError.Code.configuration.rawValue
    }

    static func lines(_ loaded: ConfigurationLoader.Loaded, _ surroundings: ProcessEnvironment) -> [String] {
        guard loaded.problems.isEmpty else { return loaded.problems.map(\.description) }
        let unavailable = loaded.registry.all.filter { $0.unavailable != nil }.map(\.source.name.text)
        let ready = loaded.registry.all.count - unavailable.count
        let file = loaded.file.map { "configuration \($0)" } ?? "no configuration, so the defaults apply"
        var lines = ["\(ready) \(ready == 1 ? "source" : "sources") ready; \(file)"]
        if !unavailable.isEmpty { lines.append("\(unavailable.count) off: \(unavailable.joined(separator: ", "))") }
        if loaded.file == ProcessEnvironment.systemConfiguration, !surroundings.seesSystemKeys {
            lines.append("only root can read the keys of the system service; to check them: “sudo searchctl doctor”")
        }
        return lines
    }
}
