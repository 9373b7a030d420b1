import EventLoop
import Glibc
import JSON

/// `searchctl show N`: all that is known of a hit of the last search.
enum ShowCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try HitFormat.chosen(arguments, outputIsTerminal: context.console.outputIsTerminal)
        let search = try LastSearchStore.load(context)
        let style = Style(arguments, environment: context.environment, isTerminal: context.console.outputIsTerminal)
        let printer = Printer(context.console)
        let hits = try arguments.words.map { word throws(ClientError) in try search.hit(word) }
        for (index, hit) in hits.enumerated() {
            switch format {
            case .json: try printer.print(json: hit.text)
            case .lines(let format):
                try printer.print(format.text(hit, number: index + 1, isFirst: index == 0))
            case .text:
                if index > 0 { try printer.print("\n") }
                try printer.print(HitDetails(columns: context.console.columns, style: style).text(hit))
            }
        }
        if let warning = MissingField.warning(format, hits) { context.console.report(FailureText.line(warning)) }
        return .found
    }
}
